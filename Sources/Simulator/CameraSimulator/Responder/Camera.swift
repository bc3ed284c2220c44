/// A camera as a value: requests go in, answers and events come out. No clock, no files, no sockets.
public struct Camera: Sendable {
    /// Who it is.
    public let identity: CameraIdentity
    /// Its memory card.
    public internal(set) var card: Card
    /// File and folder counters.
    public var numbering: FileNumbering
    /// Where its photos come from.
    let source: PhotoSource
    /// What is still to go wrong.
    public private(set) var faults = FaultPlan()
    /// Names for the next photos, in place of the camera's own.
    public var names: [CameraText] = []
    /// Battery level in percent, 0...100.
    public private(set) var battery: UInt8 = 80
    /// How far the camera's clock is ahead of the host's, in seconds.
    public var clockOffsetSeconds = 0
    /// Whether the photos that are taken from now on are protected.
    public var protectsNew = false
    /// Stars of the photos from now on, 0...5.
    public var rating: UInt16 = 0
    /// What clients asked for lately.
    var operations = PTPRequestLog()
    /// What has happened so far.
    public internal(set) var statistics = CameraStatistics()
    /// What a camera that is no maker's is set to.
    var generic = GenericBody()
    /// The open session; `nil` when there is none.
    var session: PTPSession?
    /// Photos made so far, the old ones included: no two are alike.
    var photosMade = 0
    /// Whether photos go to the client only (camera memory) and not to the card.
    var memoryIsTarget = false
    /// What a Sony has to hand over, and how it is set.
    var handover = SonyHandover()
    /// What a Sony is set to, and its live view.
    var sony = SonyBody()
    /// Where a Sony puts its photos (property 0xD222): 1 to the computer, 16 on the card, 17 both.
    public var sonyDestination = SonyDestination.host
    /// What a Fujifilm has of its own.
    var fuji = FujiBody()
    /// Photos that a Fujifilm's memory takes before they are deleted; `nil` for no bound.
    public var bufferShots: Int?
    /// How long the body takes no shot after something of a photo was read, in milliseconds (libgphoto2 issue 1212);
    /// `nil` for a body that does not mind.
    public var shutterHeldMs: Int64?
    /// The time in which photos were read, by the host's clock in milliseconds: from the first piece to the last one
    /// before the shutter was free again. `nil` before the first piece.
    var reading: ClosedRange<Int64>?
    /// Shots of the burst that goes on, or was the last.
    var burstShots = 0
    /// What a Nikon has of its own.
    var nikon = NikonBody()
    /// What an EOS has of its own.
    var canon = CanonBody()
    /// For faults that strike at random: the same each time, so that a test can be run again.
    var dice: UInt64 = 1
    var outbox: [PTPEvent] = []
    var album: [TakenPhoto] = []
    var deleted: [TakenPhoto] = []

    /// A camera with an empty card.
    public init(identity: CameraIdentity, source: PhotoSource, cardBytes: Int, firstNumber: Int = 1) {
        self.identity = identity
        self.source = source
        card = Card(capacityBytes: cardBytes)
        numbering = FileNumbering(first: firstNumber)
        sony = SonyBody(identity.sonyGeneration)
        if let recording = source.recording { canon.dials.imageFormat = CanonImageFormat(recording) }
    }

    /// Whether a client has a session open.
    public var isSessionOpen: Bool { session != nil }

    /// Whether the client in the session has come to where it waits for photos.
    public var isClientListening: Bool { session?.isListening ?? false }

    /// Whether every shot has been read to the end. One that is only in memory is done when the client says so.
    public var isEveryShotFetched: Bool {
        card.files.allSatisfy { $0.shot == 0 || ($0.isFetched && $0.storage != 0) }
    }

    /// Sets a fault.
    public mutating func add(_ fault: Fault) { faults.add(fault, afterRequest: statistics.requestCount) }

    /// Forgets the faults that are still to come.
    public mutating func clearFaults() { faults.removeAll() }

    /// Sets the battery level and tells the client.
    public mutating func setBattery(_ percent: Int) {
        battery = UInt8(clamping: min(max(percent, 0), 100))
        batteryChanged()
    }

    /// The photographer protects a photo; the client is told.
    ///
    /// - Returns: whether there is one of this name.
    public mutating func protect(_ name: String) -> Bool {
        guard let object = card.files.first(where: { $0.name.string == name }) else { return false }
        card.update(object.handle) { $0.isProtected = true }
        emit(.objectInfoChanged(object.handle))
        return true
    }

    /// The photographer deletes a photo with the body's buttons; the client is told.
    ///
    /// - Returns: whether there is one of this name.
    public mutating func deleteByHand(_ name: String) -> Bool {
        guard let object = card.files.first(where: { $0.name.string == name }) else { return false }
        deleted.append(TakenPhoto(object: object, folder: card.path(of: object)))
        _ = card.remove(object.handle)
        emit(.objectRemoved(object.handle))
        return true
    }

    /// The photographer formats the card. No client hears of it.
    public mutating func format() {
        deleted += card.files.filter { $0.storage != 0 }.map {
            TakenPhoto(object: $0, folder: card.path(of: $0))
        }
        card = Card(capacityBytes: card.capacityBytes)
        numbering.restart(at: 1)
    }

    /// Events that came up since the last call, oldest first.
    public mutating func takeEvents() -> [PTPEvent] {
        defer { outbox = [] }
        return outbox
    }

    /// Files that were made since the last call, whoever pressed the shutter.
    public mutating func takePhotos() -> [TakenPhoto] {
        defer { album = [] }
        return album
    }

    /// Files on the card that clients have deleted since the last call.
    public mutating func takeDeleted() -> [TakenPhoto] {
        defer { deleted = [] }
        return deleted
    }

    /// The client's connection is gone: its session ends, the card stays.
    public mutating func linkClosed() {
        endSession()
        outbox = []
    }

    /// A part of an object has reached the client.
    ///
    /// - Returns: whether the object is complete with it.
    public mutating func delivered(_ delivery: ObjectDelivery) -> Bool {
        var isComplete = false
        card.update(delivery.handle) {
            let wasFetched = $0.isFetched
            $0.deliveredBytes = max($0.deliveredBytes, delivery.through)
            isComplete = !wasFetched && $0.isFetched
        }
        if isComplete { statistics.fetched += 1 }
        if card[delivery.handle]?.isFetched == true { handedOver(delivery.handle) }
        return isComplete
    }

    mutating func takeFault(
        _ stage: Fault.Stage, shot: Int?, operation: UInt16? = nil, readsObject: Bool = false,
        matching: (Fault.Kind) -> Bool = { _ in true }
    ) -> Fault.Kind? {
        faults.take(
            stage, shot: shot, request: statistics.requestCount, operation: operation,
            readsObject: readsObject,
            matching: matching)
    }
}

/// A new file, and where it lies.
public struct TakenPhoto: Sendable {
    /// What the camera's lamp shows after it; `nil` for a camera without such a lamp.
    public var lamp: CameraLamp?
    /// The file, as it is on the card.
    public var object: CardObject
    /// Its folder, for example `/store_00010001/DCIM/100MEDIA`.
    public var folder: String
}

/// What is forgotten when a session ends.
struct PTPSession: Sendable {
    var id: UInt32
    /// Whether the client waits for photos: an EOS's client keeps it awake then, a Nikon's polls for events.
    var isListening: Bool
    /// Whether an EOS was told to collect events.
    var isEventModeOn = false
    /// Events that wait to be polled (Canon, Nikon).
    var polled: [PTPEvent] = []
}

/// What has happened since the camera was switched on.
public struct CameraStatistics: Sendable {
    /// Sessions that were opened.
    public internal(set) var sessions = 0
    /// Shots that were taken.
    public internal(set) var shots = 0
    /// When the last of them was, by the host's clock; `nil` before the first.
    public internal(set) var lastShot: WallTime?
    /// Files that were read to the end, each counted once.
    public internal(set) var fetched = 0
    /// Objects that were deleted by clients.
    public internal(set) var deleted = 0
    /// Shots that were not taken because the camera was just read.
    public internal(set) var refused = 0
    /// Photos that were only in memory when the client went away.
    public internal(set) var lost = 0
    /// Times that a client read what was not there yet, which ends such a camera.
    public internal(set) var crashes = 0
    /// Requests, by operation code.
    public internal(set) var requests: [UInt16: Int] = [:]
    /// Requests in all.
    public internal(set) var requestCount = 0
}
