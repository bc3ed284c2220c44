import FrameFastModel
import WorkerProtocol

/// A listing in progress. The worker handles commands and events between its portions.
struct Listing {
    /// The interval between two parts of the list, in milliseconds.
    static let sendEveryMs: UInt64 = 500
    /// The maximum time that events wait while the worker searches for folders, in milliseconds.
    static let foldersMs: UInt64 = 1_000
    /// The time without a shot or fetch before the worker verifies cached objects, in milliseconds.
    static let quietMs = EventPace.shootingWindowMs

    /// The id of the `list` command.
    let id: UInt64
    /// The number of objects on the card, including folders.
    let total: Int
    var reading = CardReading()
    /// The objects that are read but not sent yet.
    var pending: [CameraObject] = []
    /// The objects in ``pending`` that are not in the cache yet.
    var fresh: [(handle: UInt32, object: CameraObject)] = []
    /// The time of the last part sent to the daemon, in milliseconds of the monotonic clock.
    var sentMs: UInt64
    /// Whether the complete list was sent.
    var isSent = false
    var skipped = 0
    /// The objects that only the driver can describe completely, by folder.
    var driverOnlyObjects: [CardReading.Folder: [UInt32]] = [:]
    private let startMs: UInt64
    /// The time of the last announced or fetched photo, in milliseconds of the monotonic clock.
    private var busyMs: UInt64

    init(id: UInt64, total: Int, nowMs: UInt64) {
        self.id = id
        self.total = total
        sentMs = nowMs
        startMs = nowMs
        busyMs = nowMs
    }

    /// Records that a photo was announced or fetched.
    mutating func recordActivity(nowMs: UInt64) { busyMs = nowMs }

    /// Returns the milliseconds until the next portion may be read. Portions of the list are due immediately.
    /// Cached objects are verified when the link is idle.
    func delay(nowMs: UInt64) -> UInt64 {
        guard isSent else { return 0 }
        let due = busyMs + Self.quietMs
        return due - min(due, nowMs)
    }

    /// Returns whether the pending objects must be sent now.
    func isSendDue(nowMs: UInt64) -> Bool {
        nowMs >= sentMs + Self.sendEveryMs || pending.count >= WorkerLimits.objectsPerListing
    }

    /// Returns whether events wait until the worker has read the folders.
    func delaysEvents(nowMs: UInt64) -> Bool {
        reading.isFindingFolders && nowMs < startMs + Self.foldersMs
    }
}
