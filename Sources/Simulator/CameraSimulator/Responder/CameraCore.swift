/// The parts of a simulated camera that all makers share: the card, the session, the clock and the faults.
struct CameraCore: Sendable {
    let identity: CameraIdentity
    var card: Card
    /// The file and folder counters.
    var numbering: FileNumbering
    let source: PhotoSource
    var faults = FaultPlan()
    /// The names of the next photos, which replace the camera's own names.
    var names: [CameraText] = []
    /// The battery level in percent, 0...100.
    var battery: UInt8 = 80
    /// The offset of the camera's clock from the host's clock, in seconds. If the offset is positive, the
    /// camera's clock is ahead.
    var clockOffsetSeconds = 0
    /// The options of real pictures in new photos, or `nil` for photos padded to an exact size.
    var pictures: RealPhotoOptions?
    /// Whether new photos are protected.
    var protectsNew = false
    /// The rating of new photos in stars, 0...5.
    var rating: UInt16 = 0
    /// The number of shots that the camera's memory holds until a client deletes them, or `nil` for no limit.
    var bufferShots: Int?
    /// The time for which the body refuses shots after a client has read a part of a photo, in milliseconds,
    /// or `nil` if the body never refuses a shot. Source: libgphoto2 issue 1212.
    var shutterHeldMs: Int64?
    /// The recent requests of clients.
    var requestLog = PTPRequestLog()
    /// The counters since the camera was switched on.
    var statistics = CameraStatistics()
    /// The open session, or `nil` if no session is open.
    var session: PTPSession?
    /// The number of generated photos, including photos that existed at the start. The generator uses the
    /// number to make each photo different.
    var photoCount = 0
    /// The time range of the latest reads of photo data, by the host's clock in milliseconds, or `nil` before
    /// the first read.
    ///
    /// A read extends the range if the shutter is still unavailable because of an earlier read. Otherwise,
    /// the read starts a new range.
    var reading: ClosedRange<Int64>?
    /// The number of shots in the current or last burst.
    var burstShots = 0
    /// The state of the random generator for random faults. The initial value is the same in each run to keep
    /// tests repeatable.
    var randomState: UInt64 = 1
    var outbox: [PTPEvent] = []
    var newFiles: [TakenPhoto] = []
    var deleted: [TakenPhoto] = []

    /// The constants of the maker's cameras.
    var profile: BodyProfile { identity.maker.profile }

    /// Whether a client has an open session.
    var isSessionOpen: Bool { session != nil }

    /// Whether the client in the session is ready to receive photos.
    var isClientListening: Bool { session?.isListening ?? false }

    /// Whether clients have read every shot completely. A shot in memory counts as unread until the client
    /// acknowledges the shot.
    var isEveryShotFetched: Bool {
        card.files.allSatisfy { $0.shot == 0 || ($0.isFetched && $0.storage != 0) }
    }

    /// The number of shots on the card or in the memory.
    var bufferedShots: Int {
        var shots: Set<Int> = []
        for file in card.files { shots.insert(file.shot) }
        return shots.count
    }

    /// Whether the memory has space for another shot.
    var hasBufferSpace: Bool { bufferShots.map { bufferedShots < $0 } ?? true }

    /// The state of the lamp, or `nil` for a camera without a lamp.
    var lamp: CameraLamp? {
        guard profile.storage == .memory else { return nil }
        return !hasBufferSpace ? .full : bufferedShots > 0 ? .blinking : .off
    }

    /// The number of photos that fit on the card, estimated by the size of the last shot.
    var shotsLeft: Int { card.freeBytes / max(1, lastShotBytes) }

    private var lastShotBytes: Int {
        var bytes = 0
        for file in card.files where file.shot == statistics.shots && file.shot > 0 {
            bytes += file.bytes.count
        }
        return bytes == 0 ? 8_000_000 : bytes
    }

    /// The time for writing the buffer to the card, in milliseconds.
    static let burstWriteMs: Int64 = 2_000

    /// Returns the number of shots that fit in the buffer. The buffer is written to the card two seconds
    /// after the last shot.
    func remainingBurstShots(at now: WallTime) -> UInt8 {
        guard let last = statistics.lastShot, now.hostMs < last.hostMs + Self.burstWriteMs else { return 25 }
        return UInt8(clamping: 25 - burstShots)
    }

    /// Records that a client reads part of a photo now.
    mutating func recordReading(at now: WallTime) {
        let begin = isShutterHeld(at: now) ? reading?.lowerBound ?? now.hostMs : now.hostMs
        reading = min(begin, now.hostMs)...now.hostMs
    }

    /// Returns whether the body refuses a shot because a client has just read a photo. A shot that was due
    /// before the read is allowed, even if the computer processes it late.
    func isShutterHeld(at now: WallTime) -> Bool {
        guard let shutterHeldMs, let reading else { return false }
        return now.hostMs >= reading.lowerBound && now.hostMs < reading.upperBound + shutterHeldMs
    }

    /// Deletes the photos that are only in memory, and returns their number.
    @discardableResult
    mutating func clearMemory() -> Int {
        let photos = card.objects.filter { $0.storage == 0 }
        for photo in photos { _ = card.remove(photo.handle) }
        return photos.count
    }

    mutating func takeFault(
        _ stage: Fault.Stage, shot: Int?, operation: UInt16? = nil, readsObject: Bool = false,
        matching: (Fault.Kind) -> Bool = { _ in true }
    ) -> Fault.Kind? {
        faults.takeFault(
            stage, shot: shot, request: statistics.requestCount, operation: operation,
            readsObject: readsObject, matching: matching)
    }
}

/// The state of an open PTP session.
struct PTPSession: Sendable {
    var id: UInt32
    /// Whether the client is ready to receive photos. For a generic camera, always `true`. For other makers,
    /// `true` after the first keep-awake request (EOS), poll for events (Nikon), poll of all properties
    /// (Sony) or list of all handles (Fujifilm).
    var isListening = false
    /// Whether the client enabled the EOS event mode, in which the camera collects events.
    var isEventModeOn = false
    /// The events that wait for the next poll (Canon, Nikon).
    var polled: [PTPEvent] = []
}

/// Counters since the camera was switched on.
struct CameraStatistics: Sendable {
    var sessions = 0
    var shots = 0
    /// The time of the last shot by the host's clock, or `nil` if no shot was taken.
    var lastShot: WallTime?
    /// The number of completely read files. Each file is counted once.
    var fetched = 0
    /// The number of objects that clients deleted.
    var deleted = 0
    /// The number of shots that the body refused because a client had just read a photo.
    var refused = 0
    /// The number of photos that were lost because they were in memory when the client disconnected.
    var lost = 0
    /// The number of crashes. A Sony crashes when a client reads its memory before a photo is available.
    var crashes = 0
    /// The number of requests by operation code.
    var requests: [UInt16: Int] = [:]
    var requestCount = 0
}
