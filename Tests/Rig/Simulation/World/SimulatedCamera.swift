import Cameras
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
    enum News: CaseIterable, Sendable {
        case announced, announcedTwice, lost, misread
    }

    /// A photo that the camera took.
    struct Shot: Hashable, Sendable {
        var object: CameraObject
        var bytes: Data

        /// The object as the driver reports it if the name of the parent folder is unreadable.
        var misplaced: CameraObject {
            var misplaced = object
            misplaced.folder = object.folder.replacing("/DCIM/", with: SimulatedCamera.unreadable + "/")
            return misplaced
        }
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
        var unheard = 0
        /// The number of reads with wrong bytes. Consecutive reads differ, because the service accepts bytes
        /// that it reads twice.
        var wrongReads = 0
        /// The used space of the card at the last report to this connection, in bytes.
        var reportedBytes: UInt64 = 0
        /// The photos without an announcement since the last report.
        var unreported: [Shot] = []
        /// The photos without an announcement that the reports of free space did not show.
        var hidden: Set<Shot> = []
        /// The number of photos that the camera takes at future deletions.
        var shotsAtDeletion = 0
        /// The photos whose facts were misread in an announcement or a listing.
        var misread: Set<CameraObject> = []
        /// The numbers of complete reads by requests with the right facts.
        var reads: [Shot: Int] = [:]
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
    private let reusesNames: Bool
    let state: Mutex<State>

    /// The number of photos after which the camera uses another folder and repeats file names.
    private static let namesInFolder = 12
    /// The size of a card, in bytes.
    private static let cardBytes: UInt64 = 1 << 30
    /// The reported path of a folder whose name is unreadable.
    static let unreadable = "/<none>"

    /// - Parameters:
    ///   - time: The camera's time, in seconds since 1970.
    ///   - reusesNames: Whether a new photo gets the lowest file name that is free on the card.
    init(id: CameraID, serial: String, time: Int64, reusesNames: Bool) {
        self.id = id
        self.reusesNames = reusesNames
        self.serial = serial
        state = Mutex(State(place: id.rawValue, time: time))
    }

    /// The USB port of the camera.
    var place: String {
        get { state.withLock(\.place) }
        set { state.withLock { $0.place = newValue } }
    }

    /// Whether neither an announcement nor the free space showed a photo to the service. A deletion between
    /// two reports frees the space that the photo uses. Only a later announcement or connection shows it.
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
            folder: "/store_00010001", capacityBytes: Self.cardBytes, freeBytes: Self.cardBytes - used)
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

    // MARK: the shutter

    /// Takes a photo. After some photos, the camera uses the next folder and repeats file names.
    ///
    /// - Parameters:
    ///   - size: The minimum size of the photo, in bytes.
    ///   - secondsLater: The time since the previous photo, in seconds. With 0, both photos have the same
    ///     time.
    func shoot(_ news: News, size: Int, secondsLater: Int64) {
        let (shot, connection) = state.withLock { state -> (Shot, Connection?) in
            state.number += 1
            state.time += secondsLater
            var (folder, name) = Self.fileName(state.number)
            if reusesNames {
                let used = Set(state.card.map(\.object.path))
                var number = 1
                repeat {
                    (folder, name) = Self.fileName(number)
                    number += 1
                } while used.contains("\(folder)/\(name)")
            }
            let bytes = Self.photo("\(id) \(state.number)", size: size)
            let shot = Shot(
                object: CameraObject(
                    folder: folder, name: name, size: UInt64(bytes.count), cameraTime: state.time),
                bytes: bytes)
            state.card.append(shot)
            state.taken.append(shot)
            guard state.connection != nil else { return (shot, nil) }
            if news == .misread { state.misread.insert(shot.object) }
            if news == .lost {
                state.unheard += 1
                state.unreported.append(shot)
            }
            state.connection?.objects = state.card.map(\.object)
            return (shot, state.connection)
        }
        guard let connection else { return }
        switch news {
        case .announced: connection.notices.yield([.objectAdded(shot.object)])
        case .announcedTwice:
            connection.notices.yield([.objectAdded(shot.object)])
            connection.notices.yield([.objectAdded(shot.object)])
        case .lost: break
        case .misread:
            var misread = shot.object
            misread.folder = Self.unreadable
            connection.notices.yield([.objectAdded(misread)])
            connection.notices.yield([.objectAdded(shot.object)])
        }
    }

    private static func fileName(_ number: Int) -> (folder: String, name: String) {
        (
            "/store_00010001/DCIM/\(100 + number / namesInFolder)CANON",
            String(format: "IMG_%04d.JPG", 1 + number % namesInFolder)
        )
    }

    /// Returns a JPEG of at least this size, with the text in a comment.
    static func photo(_ words: String, size: Int) -> Data {
        let comment = Data(words.utf8)
        let length = UInt16(comment.count + 2)
        var jpeg = Data([0xFF, 0xD8, 0xFF, 0xFE, UInt8(length >> 8), UInt8(length & 0xFF)]) + comment
        jpeg += Data([0xFF, 0xDA, 0, 2])
        jpeg += Data(repeating: 0x55, count: max(1, size - jpeg.count - 2))
        return jpeg + Data([0xFF, 0xD9])
    }
}
