import Cameras
import Crypto
import Foundation
import FrameFastModel
import Synchronization
import WorkerProtocol

/// A simulated camera: its card, the photos that it took, and the faults of its link. The camera outlives the
/// service.
final class SimulatedCamera: Sendable {
    /// A fault of the next fetch.
    enum ReadFault: CaseIterable, Sendable {
        case disconnected, timeout, busy, refused, corrupt, gone, hostIO, zeros, short
        /// One byte differs. Only a second reading shows it.
        case wrong
    }

    /// A fault of the next listing.
    enum ListFault: CaseIterable, Sendable {
        /// The listing is interrupted.
        case cut
        /// One object is listed twice.
        case doubled
        /// The folder, time or size of one object is misread.
        case nameless, timeless, otherTime, sizeless
        /// The name of the parent of all folders is unreadable from now on.
        case misplaced
    }

    /// The way in which the camera announces a new photo.
    enum AnnouncementKind: CaseIterable, Sendable {
        case announced, announcedTwice, lost, misread
    }

    /// A photo that the camera took.
    struct Shot: Hashable, Sendable {
        var object: CameraObject
        let bytes: Data
        /// The SHA-256 of the bytes.
        let sha256: String

        init(object: CameraObject, bytes: Data) {
            (self.object, self.bytes) = (object, bytes)
            sha256 = Hex.text(SHA256.hash(data: bytes))
        }

        /// The same photo on the second card.
        var onSecondCard: Shot {
            var other = self
            other.object.folder = object.folder.replacing(
                SimulatedCamera.firstCard, with: SimulatedCamera.secondCard)
            return other
        }

        /// The object as the driver reports it if the name of the parent folder is unreadable.
        var misplaced: CameraObject {
            var misplaced = object
            misplaced.folder = object.folder.replacing("/DCIM/", with: SimulatedCamera.unreadable + "/")
            return misplaced
        }
    }

    /// The properties of a camera that a seed chooses.
    struct Traits: Hashable, Sendable {
        /// Whether a new photo gets the lowest file name that is free on the card.
        var reusesNames = false
        /// Whether each second shot has a RAW file and a picture.
        var takesPairs = false
        /// Whether the camera stores each photo on two cards.
        var usesTwoCards = false
        /// Whether the worker may still hash a photo while it reads the next photo.
        var hashesLate = false
        /// Whether the worker reports a list in two portions.
        var listsInPortions = false
    }

    /// An announcement of a photo to a connection.
    struct Announcement: Hashable, Sendable {
        var connection: UInt64
        var shot: Shot
    }

    struct State {
        var place: String
        var card: [Shot] = []
        var taken: [Shot] = []
        var number = 0
        var time: Int64
        var readFaults: [ReadFault] = []
        var listFaults: [ListFault] = []
        var isPlugged = true
        var isMisplaced = false
        /// The objects that a listing reported with a wrong time while the folder names were readable.
        var mistimed: Set<CameraObject> = []
        /// The number of photos that this connection has not announced.
        var unannounced = 0
        /// The number of reads with wrong bytes. Each of these reads returns different bytes, because the
        /// service accepts bytes that it reads twice.
        var wrongReads = 0
        /// The used space of the card at the last report to this connection, in bytes.
        var reportedBytes: UInt64 = 0
        /// The photos that were taken without an announcement since the last report.
        var unreported: [Shot] = []
        /// The photos without an announcement that the reports of free space did not show.
        var hidden: Set<Shot> = []
        /// The number of photos that the camera takes at future deletions.
        var shotsAtDeletion = 0
        /// The photos whose facts were misread in an announcement or a listing.
        var misread: Set<CameraObject> = []
        /// The number of complete reads of each photo, by requests with its right facts.
        var reads: [Shot: Int] = [:]
        /// The number of read requests for each photo, including failed reads.
        var requests: [Shot: Int] = [:]
        /// The photos that the camera announced once, in order.
        var announcements: [Announcement] = []
        /// The photos that were on the card during a listing.
        var listed: Set<Shot> = []
        /// The photos that were read before a listing contained them.
        var readBeforeListing: Set<Shot> = []
        /// The RAW file and the picture of each shot with two files.
        var pairs: [(raw: Shot, picture: Shot)] = []
        /// The photo whose reads end the connection, or `nil`.
        var unreadablePhoto: Shot?
        /// The paths of part files whose transfers the worker did not report to the service.
        var unreportedParts: Set<String> = []
        var connection: Connection?
    }

    /// The current connection.
    struct Connection: Sendable {
        var session: CameraConnection
        var notices: AsyncStream<[CameraConnection.Notice]>.Continuation
        var commands: AsyncStream<WorkerCommand>.Continuation
        /// The objects as the driver knows them.
        var objects: [CameraObject] = []
    }

    let id: CameraID
    let serial: String
    let traits: Traits
    let state: Mutex<State>

    /// The folder of the first card.
    private static let firstCard = "/store_00010001"
    /// The folder of the second card.
    private static let secondCard = "/store_00020001"
    /// The folder of the directories with photos.
    static let photoFolder = firstCard + "/DCIM"
    /// The size of a card, in bytes.
    private static let cardBytes: UInt64 = 1 << 30
    /// The reported path of a folder whose name is unreadable.
    static let unreadable = "/<none>"

    /// - Parameter time: The camera's time, in seconds since 1970.
    init(id: CameraID, serial: String, time: Int64, traits: Traits) {
        self.id = id
        self.traits = traits
        self.serial = serial
        state = Mutex(State(place: id.rawValue, time: time))
    }

    /// The USB port of the camera.
    var place: String {
        get { state.withLock(\.place) }
        set { state.withLock { $0.place = newValue } }
    }

    /// Whether neither an announcement nor the free space showed a photo to the service. A deletion between
    /// two reports frees the space that the photo uses. Only a later announcement or connection shows the
    /// photo.
    func isHidden(_ shot: Shot) -> Bool { state.withLock { $0.hidden.contains(shot) } }

    /// Returns the facts that the camera reports. A lost announcement shows only in the free space.
    func reportFacts() -> CameraFacts {
        let used = state.withLock { state in
            let used = state.card.reduce(0) { $0 + $1.object.size }
            if used <= state.reportedBytes { state.hidden.formUnion(state.unreported) }
            (state.reportedBytes, state.unreported) = (used, [])
            return used
        }
        let storage = CameraStorage(
            folder: Self.firstCard, capacityBytes: Self.cardBytes, freeBytes: Self.cardBytes - used)
        return CameraFacts(maker: "Test", model: "T", serial: serial, storages: [storage])
    }

    /// All photos that the camera took.
    var taken: [Shot] { state.withLock(\.taken) }

    /// Whether the card still has a photo.
    func has(_ shot: Shot) -> Bool { state.withLock { $0.card.contains(shot) } }

    /// Whether a listing reported exactly these facts with a wrong time, and the folder names have been
    /// unreadable since.
    ///
    /// No later listing can disprove these facts, because neither the path nor the time matches an object on
    /// the card. The photo might be on another card.
    func hasMisreadTwice(_ object: CameraObject) -> Bool {
        state.withLock { $0.isMisplaced && $0.mistimed.contains(object) }
    }

    /// Whether the cable is plugged in.
    var isPlugged: Bool { state.withLock(\.isPlugged) }

    // MARK: faults

    /// Adds a fault for the next fetch.
    func add(_ fault: ReadFault) { state.withLock { $0.readFaults.append(fault) } }

    /// Adds a fault for the next listing.
    func add(_ fault: ListFault) { state.withLock { $0.listFaults.append(fault) } }

    /// Removes all faults except unreadable folder names, and plugs the cable in.
    func repair() {
        state.withLock { state in
            state.unreadablePhoto = nil
            state.readFaults = []
            state.listFaults = []
            state.isPlugged = true
        }
    }

    /// Unplugs the cable, which ends the connection, or plugs it in.
    func setPlugged(_ isPlugged: Bool) {
        state.withLock { $0.isPlugged = isPlugged }
        if !isPlugged { cut(killsWorker: true) }
    }

    /// Breaks the connection. If `killsWorker` is `true`, also disconnects the worker.
    func cut(killsWorker: Bool) {
        guard let connection = state.withLock(\.connection) else { return }
        if killsWorker { connection.session.abandon() }
        connection.notices.yield([.lost(Self.lost)])
        connection.notices.finish()
    }
}
