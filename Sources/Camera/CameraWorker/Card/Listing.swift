import FrameFastModel
import WorkerProtocol

/// A listing that is under way while commands and events are served.
struct Listing {
    /// Time after which what was read is told, in milliseconds.
    static let tellEveryMs: UInt64 = 500
    /// While it is being found out which folders there are, events wait for so long at most, in milliseconds.
    static let foldersMs: UInt64 = 1_000
    /// What came from memory is asked for again when nobody has shot or fetched for so long, in milliseconds.
    static let quietMs = EventPace.shootingWindowMs

    /// The command that it answers.
    let id: UInt64
    /// Objects on the card in all, folders included.
    let total: Int
    var reading = CardReading()
    /// Read and not told yet.
    var part: [CameraObject] = []
    /// Those of them that are new to the memory.
    var read: [(handle: UInt32, object: CameraObject)] = []
    /// When something was told last.
    var toldMs: UInt64
    /// Whether the daemon has the whole list.
    var isTold = false
    var skipped = 0
    /// Objects of which only the driver's word counts, by their folder.
    var doubtful: [CardReading.Folder: [UInt32]] = [:]
    private let startMs: UInt64
    /// When a photo was announced or fetched last.
    private var busyMs: UInt64

    init(id: UInt64, total: Int, nowMs: UInt64) {
        self.id = id
        self.total = total
        toldMs = nowMs
        startMs = nowMs
        busyMs = nowMs
    }

    /// A photo was announced or fetched.
    mutating func noteBusy(nowMs: UInt64) { busyMs = nowMs }

    /// Milliseconds until the next portion may be read: what the daemon waits for at once, what it knows already when
    /// nobody needs the link.
    func delay(nowMs: UInt64) -> UInt64 {
        guard isTold else { return 0 }
        let due = busyMs + Self.quietMs
        return due - min(due, nowMs)
    }

    /// Whether what was read is to be told now.
    func isTellingDue(nowMs: UInt64) -> Bool {
        nowMs >= toldMs + Self.tellEveryMs || part.count >= WorkerFrame.objectsPerListing
    }

    /// Whether events wait until it is known which folders there are.
    func keepsEventsWaiting(nowMs: UInt64) -> Bool {
        reading.isFindingFolders && nowMs < startMs + Self.foldersMs
    }
}
