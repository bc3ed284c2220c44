import FrameFastModel
import WorkerProtocol

/// A listing in progress. The worker handles commands and events between the portions of the listing.
struct Listing {
    /// The interval between two parts of the list that are sent to the daemon.
    static let sendEvery = Duration.milliseconds(500)
    /// The maximum time that events wait while the worker searches for folders.
    static let folders = Duration.milliseconds(1_000)
    /// The time without a shot or fetch before the worker verifies cached objects.
    static let quiet = EventPace.shootingWindow

    /// The id of the `list` command.
    let id: UInt64
    /// The number of objects on the card, including folders.
    let total: Int
    var reading = CardReading()
    /// The objects that are read but not sent yet.
    var pending: [CameraObject] = []
    /// The objects in ``pending`` that are not in the cache yet.
    var fresh: [(handle: UInt32, object: CameraObject)] = []
    /// The time of the last part sent to the daemon.
    var lastSent: Instant
    /// Whether the complete list was sent.
    var isSent = false
    var skipped = 0
    /// The objects that only the driver can describe completely, by folder.
    var driverOnlyObjects: [CardReading.Folder: [UInt32]] = [:]
    private let start: Instant
    /// The time of the last announced or fetched photo.
    private var lastActivity: Instant

    init(id: UInt64, total: Int, at now: Instant) {
        self.id = id
        self.total = total
        lastSent = now
        start = now
        lastActivity = now
    }

    /// Records that a photo was announced or fetched.
    mutating func recordActivity(at now: Instant) { lastActivity = now }

    /// The time at which the next portion may be read. Until the complete list is sent, portions are due
    /// immediately. Later portions verify cached objects, and wait until the link is idle.
    var due: Instant { isSent ? lastActivity + Self.quiet : start }

    /// Removes and returns the next step of a portion, or returns `nil` if the portion ends or the card is
    /// read. A portion ends early if a step of an operation is due.
    ///
    /// - Parameters:
    ///   - end: The latest end of the portion.
    ///   - operationDelay: The time until the next step of the running operation, or `nil` if no step is
    ///     scheduled.
    mutating func nextStep(
        at now: Instant, end: Instant, operationDelay: Duration?
    ) -> CardReading.Step? {
        guard now < end, operationDelay != Duration.zero else { return nil }
        return reading.next()
    }

    /// Returns whether the pending objects must be sent now.
    func isSendDue(at now: Instant) -> Bool {
        now >= lastSent + Self.sendEvery || pending.count >= WorkerLimits.objectsPerListing
    }

    /// Returns whether events wait until the worker has read the folders.
    func delaysEvents(at now: Instant) -> Bool {
        reading.isFindingFolders && now < start + Self.folders
    }
}
