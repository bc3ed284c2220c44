/// A value that simulates a camera. The camera receives requests and produces replies and events.
///
/// The value uses no clock, files or sockets.
public struct Camera: Sendable {
    /// The identity of the camera.
    public let identity: CameraIdentity
    /// The memory card.
    public internal(set) var card: Card
    /// The file and folder counters.
    public var numbering: FileNumbering
    /// The source of photos.
    let source: PhotoSource
    /// The faults that have not occurred yet.
    public private(set) var faults = FaultPlan()
    /// The names of the next photos, which replace the camera's own names.
    public var names: [CameraText] = []
    /// The battery level in percent, 0...100.
    public private(set) var battery: UInt8 = 80
    /// The offset of the camera's clock from the host's clock, in seconds. A positive offset is ahead.
    public var clockOffsetSeconds = 0
    /// Whether new photos are protected.
    public var protectsNew = false
    /// The rating of new photos in stars, 0...5.
    public var rating: UInt16 = 0
    /// The recent requests of clients.
    var requestLog = PTPRequestLog()
    /// The counters since the camera was switched on.
    public internal(set) var statistics = CameraStatistics()
    /// The state of a generic camera.
    var generic = GenericBody()
    /// The open session, or `nil` if no session is open.
    var session: PTPSession?
    /// The number of generated photos, including photos that existed at the start. The generator uses the
    /// number to make each photo different.
    var photoCount = 0
    /// Whether photos go to the camera's memory instead of the card.
    var memoryIsTarget = false
    /// The photos that a Sony holds in memory for the computer, and the state of its buttons.
    var sonyMemory = SonyMemory()
    /// The settings of a Sony and its live view.
    var sony = SonyBody()
    /// The destination of a Sony's photos (property 0xD222): 1 is the computer, 16 the card, 17 both.
    public var sonyDestination = SonyDestination.host
    /// The state of a Fujifilm.
    var fuji = FujiBody()
    /// The number of photos that a Fujifilm's memory holds until a client deletes them, or `nil` for no
    /// limit.
    public var bufferShots: Int?
    /// The time after reading part of a photo during which the body refuses a shot, in milliseconds
    /// (libgphoto2 issue 1212), or `nil` if the body never refuses.
    public var shutterHeldMs: Int64?
    /// The time range in which a client read photos, by the host's clock in milliseconds.
    ///
    /// The range starts with the first part and ends with the last part before the shutter was available
    /// again. The value is `nil` before the first part.
    var reading: ClosedRange<Int64>?
    /// The number of shots in the current or last burst.
    var burstShots = 0
    /// The state of a Nikon.
    var nikon = NikonBody()
    /// The state of an EOS.
    var canon = CanonBody()
    /// The state of the random generator for random faults. The initial value is the same in each run to keep
    /// tests repeatable.
    var randomState: UInt64 = 1
    var outbox: [PTPEvent] = []
    var newFiles: [TakenPhoto] = []
    var deleted: [TakenPhoto] = []

    /// Creates a camera with an empty card.
    public init(identity: CameraIdentity, source: PhotoSource, cardBytes: Int, firstNumber: Int = 1) {
        self.identity = identity
        self.source = source
        card = Card(capacityBytes: cardBytes)
        numbering = FileNumbering(first: firstNumber)
        sony = SonyBody(identity.sonyGeneration)
        if let recording = source.recording { canon.dials.imageFormat = CanonImageFormat(recording) }
    }

    /// Whether a client has an open session.
    public var isSessionOpen: Bool { session != nil }

    /// Whether the client in the session is ready to receive photos.
    public var isClientListening: Bool { session?.isListening ?? false }

    /// Whether clients have read every shot completely. A shot in memory is treated as read after the client
    /// has acknowledged it.
    public var isEveryShotFetched: Bool {
        card.files.allSatisfy { $0.shot == 0 || ($0.isFetched && $0.storage != 0) }
    }

    /// Adds a fault.
    public mutating func add(_ fault: Fault) { faults.add(fault, afterRequest: statistics.requestCount) }

    /// Removes the faults that have not occurred yet.
    public mutating func clearFaults() { faults.removeAll() }

    /// Sets the battery level and notifies the client.
    public mutating func setBattery(_ percent: Int) {
        battery = UInt8(clamping: min(max(percent, 0), 100))
        announceBattery()
    }

    /// Protects a photo as the photographer would, and notifies the client.
    ///
    /// - Returns: Whether the card has a photo with this name.
    public mutating func protect(_ name: String) -> Bool {
        guard let object = card.files.first(where: { $0.name.string == name }) else { return false }
        card.update(object.handle) { $0.isProtected = true }
        emit(.objectInfoChanged(object.handle))
        return true
    }

    /// Deletes a photo as the photographer would with the body's buttons, and notifies the client.
    ///
    /// - Returns: Whether the card has a photo with this name.
    public mutating func deleteByHand(_ name: String) -> Bool {
        guard let object = card.files.first(where: { $0.name.string == name }) else { return false }
        deleted.append(TakenPhoto(object: object, folder: card.path(of: object)))
        _ = card.remove(object.handle)
        emit(.objectRemoved(object.handle))
        return true
    }

    /// Formats the card as the photographer would. The client isn't notified.
    public mutating func format() {
        deleted += card.files.filter { $0.storage != 0 }.map {
            TakenPhoto(object: $0, folder: card.path(of: $0))
        }
        card = Card(capacityBytes: card.capacityBytes)
        numbering.restart(at: 1)
    }

    /// Returns and clears the events since the last call, oldest first.
    public mutating func drainEvents() -> [PTPEvent] {
        defer { outbox = [] }
        return outbox
    }

    /// Returns and clears the files that were created since the last call.
    public mutating func drainNewFiles() -> [TakenPhoto] {
        defer { newFiles = [] }
        return newFiles
    }

    /// Returns and clears the files that were deleted from the card since the last call.
    public mutating func drainDeletedFiles() -> [TakenPhoto] {
        defer { deleted = [] }
        return deleted
    }

    /// Ends the session after the client's connection has closed. The card doesn't change.
    public mutating func handleLinkClosed() {
        endSession()
        outbox = []
    }

    /// Records that a part of an object has reached the client.
    ///
    /// - Returns: Whether this part completes the object.
    public mutating func recordDelivery(_ delivery: ObjectDelivery) -> Bool {
        var isComplete = false
        card.update(delivery.handle) {
            let wasFetched = $0.isFetched
            $0.deliveredBytes = max($0.deliveredBytes, delivery.through)
            isComplete = !wasFetched && $0.isFetched
        }
        if isComplete { statistics.fetched += 1 }
        if card[delivery.handle]?.isFetched == true { removeFromMemory(delivery.handle) }
        return isComplete
    }

    mutating func takeFault(
        _ stage: Fault.Stage, shot: Int?, operation: UInt16? = nil, readsObject: Bool = false,
        matching: (Fault.Kind) -> Bool = { _ in true }
    ) -> Fault.Kind? {
        faults.takeFault(
            stage, shot: shot, request: statistics.requestCount, operation: operation,
            readsObject: readsObject,
            matching: matching)
    }
}

/// A new file and its folder.
public struct TakenPhoto: Sendable {
    /// The state of the camera's lamp after the shot, or `nil` for a camera without a lamp.
    public var lamp: CameraLamp?
    /// The file on the card.
    public var object: CardObject
    /// The folder, for example `/store_00010001/DCIM/100MEDIA`.
    public var folder: String
}

/// The state of an open PTP session.
struct PTPSession: Sendable {
    var id: UInt32
    /// Whether the client is ready to receive photos. For a generic camera, always `true`. For other makers,
    /// `true` after the first keep-awake request (EOS), poll for events (Nikon), poll of all properties
    /// (Sony) or list of all handles (Fujifilm).
    var isListening: Bool
    /// Whether the client enabled the EOS event mode, in which the camera collects events.
    var isEventModeOn = false
    /// The events that wait for the next poll (Canon, Nikon).
    var polled: [PTPEvent] = []
}

/// Counters since the camera was switched on.
public struct CameraStatistics: Sendable {
    /// The number of opened sessions.
    public internal(set) var sessions = 0
    /// The number of shots.
    public internal(set) var shots = 0
    /// The time of the last shot by the host's clock, or `nil` if no shot was taken.
    public internal(set) var lastShot: WallTime?
    /// The number of completely read files. Each file is counted once.
    public internal(set) var fetched = 0
    /// The number of objects that clients deleted.
    public internal(set) var deleted = 0
    /// The number of shots that the body refused because a client had just read a photo.
    public internal(set) var refused = 0
    /// The number of photos that were lost because they were in memory when the client disconnected.
    public internal(set) var lost = 0
    /// The number of crashes. A Sony crashes when a client reads its memory before a photo is available.
    public internal(set) var crashes = 0
    /// The number of requests by operation code.
    public internal(set) var requests: [UInt16: Int] = [:]
    /// The total number of requests.
    public internal(set) var requestCount = 0
}
