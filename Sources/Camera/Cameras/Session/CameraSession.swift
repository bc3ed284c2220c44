import FoundationEssentials
public import FrameFastModel
import FrameFastSystem
import Synchronization
public import WorkerProtocol

/// A connected camera: what can be asked of it until the session ends.
public struct CameraSession: Sendable {
    /// What a camera says without being asked.
    public enum Notice: Sendable, Hashable {
        /// There is a new object.
        case objectAdded(CameraObject)
        /// The object list is worth another look.
        case listChanged(String)
        /// Bytes of the running fetch so far.
        case progress(bytes: UInt64)
        /// New facts.
        case facts(CameraFacts)
        /// The session is over.
        case lost(WorkerFailure)

        /// The new object; `nil` for other notices.
        public var object: CameraObject? { if case .objectAdded(let object) = self { object } else { nil } }
    }

    /// The camera as the configuration has it.
    public let configured: ConfiguredCamera
    /// The camera's id; stable.
    public var camera: CameraID { configured.id }
    /// Where the camera is: the path of its USB port, which stays the same when it is plugged in again, or its address.
    public let place: String
    /// What the camera said of itself when it was connected.
    public let facts: CameraFacts
    /// What it says without being asked, in order: what came while the reader was busy comes together. Ends with the
    /// session. One reader.
    public let notices: AsyncStream<[Notice]>
    let link: WorkerLink
    /// Tells this session from all others of this process, also from earlier ones of the same worker.
    public let identity: UInt64 = CameraSession.lastIdentity.add(1, ordering: .relaxed).newValue
    private static let lastIdentity = Atomic<UInt64>(0)
    /// Where its worker writes; `nil` where that is the part's own place.
    var parts: PartFolder?
    /// Whether objects of the camera are kept away from the driver, because it crashed over them.
    public internal(set) var hasSetAside = false

    /// A part of the camera's object list.
    public struct Portion: Sendable, Hashable {
        /// Objects in the camera's order.
        public var objects: [CameraObject]
        /// Objects on the card in all, folders included; `nil` when that is not known.
        public var total: Int?
        /// Whether it is the last one: the list is whole then, and only then.
        public var isLast: Bool
    }

    /// Every file object on the camera, in the camera's order, as it is read. A large card takes minutes on a slow
    /// link; everything else can be asked for meanwhile. Throws ``WorkerFailure``.
    public func list() -> AsyncThrowingStream<Portion, any Error> { link.list() }

    /// How many objects the card holds that this session does not know of. They need a new session to be listed.
    public func missing() async throws(WorkerFailure) -> Int {
        guard case .missing(let count) = try await link.request({ .reconcile(id: $0) }) else {
            throw Self.nonsense("reconcile")
        }
        return count
    }

    /// Streams an object into a file. Some may run at once: the second starts when the first one's bytes are read.
    ///
    /// - Parameters:
    ///   - asWhole: whether to ask for the object as a whole and take what comes, however small it was announced.
    ///   - isShot: whether somebody waits for it: it is read before others that were asked for.
    public func fetch(
        _ object: CameraObject, into partPath: String, asWhole: Bool = false, isShot: Bool = false
    ) async throws(WorkerFailure) -> FetchResult {
        do { try parts?.make() } catch {
            throw WorkerFailure(kind: .hostIO, during: "fetch", text: "\(error)")
        }
        let request = FetchRequest(
            folder: object.folder, name: object.name, announcedSize: object.size,
            partPath: parts?.growing(partPath) ?? partPath, asWhole: asWhole, isShot: isShot)
        guard case .fetched(let result) = try await link.request({ .fetch(id: $0, request) }) else {
            throw Self.nonsense("fetch")
        }
        do {
            // A photo may have to be copied.
            try await Self.takingOver.run { [parts] in try parts?.takeOver(to: partPath) }
        } catch PartFolderError.heldByWorker {
            link.end(breach: "the worker kept a photo open that it said was whole")
            throw WorkerLink.gone("the worker kept a photo open")
        } catch {
            throw WorkerFailure(kind: .hostIO, during: "fetch", text: "\(error)")
        }
        return result
    }

    /// Two at a time for all cameras: a copy is the disk's work.
    private static let takingOver = BlockingPool(label: "taking photos over", width: 2)

    /// Deletes an object on the camera, if it still is what it was when it was fetched.
    public func delete(_ object: CameraObject) async throws(WorkerFailure) {
        _ = try await link.request { .delete(id: $0, object) }
    }

    /// Releases the shutter. Served between two pieces of a running fetch.
    public func trigger() async throws(WorkerFailure) {
        _ = try await link.request { .trigger(id: $0) }
    }

    /// The camera's settings by our keys or the driver's names; of every key that it has for an empty list.
    public func settings(_ names: [String] = []) async throws(WorkerFailure) -> [CameraSetting] {
        guard case .settings(let settings) = try await link.request({ .readSettings(id: $0, names: names) })
        else { throw Self.nonsense("settings") }
        return settings
    }

    /// Changes settings; says for each what became of it, in the order in which they are given.
    public func change(_ order: CameraSettingsOrder) async throws(WorkerFailure) -> [CameraSettingResult] {
        guard case .settingResults(let results) = try await link.request({ .writeSettings(id: $0, order) }),
            results.count == order.changes.count
        else { throw Self.nonsense("settings") }
        return results
    }

    /// Sets the camera's clock to the wall time of its zone.
    public func setClock() async throws(WorkerFailure) -> CameraClockSetting {
        let offset = configured.zone.secondsFromGMT()
        guard
            case .clockSet(let setting) = try await link.request({
                .setClock(id: $0, zoneOffsetSeconds: offset)
            })
        else { throw Self.nonsense("clock") }
        return setting
    }

    /// Begins an operation, which then needs nobody: how far it is shows in the camera's status.
    public func begin(_ operation: CameraOperation) async throws(WorkerFailure) {
        _ = try await link.request { .begin(id: $0, operation) }
    }

    /// Ends the operation that runs, or live view.
    public func endOperation() async throws(WorkerFailure) { _ = try await link.request { .end(id: $0) } }

    /// Finds or moves the focus.
    public func focus(_ order: FocusOrder) async throws(WorkerFailure) {
        _ = try await link.request { .focus(id: $0, order) }
    }

    /// The next frame of live view, which begins with the first one that is asked for, and ends by itself.
    public func liveFrame(_ order: LiveFrameOrder = LiveFrameOrder()) async throws(WorkerFailure) -> LiveFrame
    {
        guard case .frame(let frame) = try await link.request({ .liveFrame(id: $0, order) }), frame.isWhole
        else { throw Self.nonsense("live view") }
        return frame
    }

    /// Asks the camera for battery, space and clock; the answer comes as a `facts` notice. Also notices a camera
    /// that has gone silent.
    public func refresh() async throws(WorkerFailure) {
        _ = try await link.request { .refresh(id: $0) }
    }

    /// Cuts the worker off: every open request fails, and the camera gets a fresh worker.
    public func abandon() { link.end(WorkerLink.gone("the session was abandoned")) }

    private static func nonsense(_ command: String) -> WorkerFailure {
        WorkerFailure(kind: .refused, during: command, text: "the worker gave an answer to another question")
    }
}

/// Why a session's owner is done with it.
public enum SessionEnd: Hashable, Sendable {
    /// The camera or its worker is gone. `afterProgress`: photos had come in since it was connected.
    case lost(afterProgress: Bool)
    /// Events were lost: only a new session lists the objects again.
    case relist
    /// The service stops.
    case stopping
}

/// Who takes the photos from connected cameras. Called once a session.
public protocol SessionOwner: Sendable {
    /// Serves a session until it ends or the service stops.
    func serve(_ session: CameraSession) async -> SessionEnd
}
