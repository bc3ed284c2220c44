import FoundationEssentials
public import FrameFastModel
import FrameFastSystem
import Synchronization
public import WorkerProtocol

/// A session with a connected camera: the requests that it accepts until it ends.
public struct CameraSession: Sendable {
    /// A message that the camera sends without a request.
    public enum Notice: Sendable, Hashable {
        /// A new object appeared.
        case objectAdded(CameraObject)
        /// The object list has changed and should be checked.
        case listChanged(String)
        /// The number of bytes received so far in the running transfer.
        case progress(bytes: UInt64)
        /// The camera reported new facts.
        case facts(CameraFacts)
        /// The session ended.
        case lost(WorkerFailure)

        /// The new object; `nil` for other notices.
        public var object: CameraObject? { if case .objectAdded(let object) = self { object } else { nil } }
    }

    /// The camera's settings in the configuration.
    public let configured: ConfiguredCamera
    /// The stable id of the camera.
    public var camera: CameraID { configured.id }
    /// The camera's USB port path, which stays the same when it is plugged in again, or its network address.
    public let place: String
    /// The facts that the camera reported when it connected.
    public let facts: CameraFacts
    /// The notices in order. Notices that arrive while the reader is busy are delivered together. The stream
    /// ends with the session and has one reader.
    public let notices: AsyncStream<[Notice]>
    let link: WorkerLink
    /// An identity that differs from all other sessions of this process, including earlier ones of the same
    /// worker.
    public let identity: UInt64 = CameraSession.lastIdentity.add(1, ordering: .relaxed).newValue
    private static let lastIdentity = Atomic<UInt64>(0)
    /// The folder to which the worker writes, or `nil` if it writes to the part's final path.
    var parts: PartFolder?
    /// Whether the driver is kept away from some objects because it crashed on them.
    public internal(set) var hasQuarantinedObjects = false

    /// A part of the camera's object list.
    public struct Portion: Sendable, Hashable {
        /// The objects, in the camera's order.
        public var objects: [CameraObject]
        /// The number of objects on the card, including folders; `nil` if unknown.
        public var total: Int?
        /// Whether this is the last portion. Only then the list is complete.
        public var isLast: Bool
    }

    /// Lists every file object on the camera, in the camera's order, as a stream of portions. A large card
    /// takes minutes on a slow link; other requests still work during that time. Throws ``WorkerFailure``.
    public func list() -> AsyncThrowingStream<Portion, any Error> { link.list() }

    /// Returns the number of objects on the card that this session does not know. A new session is needed to
    /// list them.
    public func missing() async throws(WorkerFailure) -> Int {
        guard case .missing(let count) = try await link.request({ .reconcile(id: $0) }) else {
            throw Self.unexpectedAnswer("reconcile")
        }
        return count
    }

    /// Transfers an object into a file. Several transfers may run at once: the second starts when the first
    /// one's bytes are read.
    ///
    /// - Parameters:
    ///   - asWhole: Whether to request the whole object and accept any size, even if the announced size is
    ///     smaller.
    ///   - isShot: Whether the photo is a new shot, which is read before other requested objects.
    public func fetch(
        _ object: CameraObject, into partPath: String, asWhole: Bool = false, isShot: Bool = false
    ) async throws(WorkerFailure) -> FetchResult {
        do { try parts?.create() } catch {
            throw WorkerFailure(kind: .hostIO, during: "fetch", text: "\(error)")
        }
        let request = FetchRequest(
            folder: object.folder, name: object.name, announcedSize: object.size,
            partPath: parts?.workerPath(for: partPath) ?? partPath, asWhole: asWhole, isShot: isShot)
        guard case .fetched(let result) = try await link.request({ .fetch(id: $0, request) }) else {
            throw Self.unexpectedAnswer("fetch")
        }
        do {
            // Taking over a photo may copy it.
            try await Self.takeOverPool.run { [parts] in try parts?.takeOver(to: partPath) }
        } catch PartFolderError.heldByWorker {
            link.disconnect(breach: "the worker still has a photo open that it reported as complete")
            throw WorkerLink.gone("the worker still has a photo open")
        } catch {
            throw WorkerFailure(kind: .hostIO, during: "fetch", text: "\(error)")
        }
        return result
    }

    /// Two at a time for all cameras: a copy is limited by the disk.
    private static let takeOverPool = BlockingPool(label: "taking over photos", width: 2)

    /// Deletes an object from the camera if it has not changed since the transfer.
    public func delete(_ object: CameraObject) async throws(WorkerFailure) {
        _ = try await link.request { .delete(id: $0, object) }
    }

    /// Releases the shutter. The worker does this between two chunks of a running transfer.
    public func trigger() async throws(WorkerFailure) {
        _ = try await link.request { .trigger(id: $0) }
    }

    /// Returns the camera's settings by FrameFast's keys or the driver's names; an empty list returns all
    /// keys.
    public func settings(_ names: [String] = []) async throws(WorkerFailure) -> [CameraSetting] {
        guard case .settings(let settings) = try await link.request({ .readSettings(id: $0, names: names) })
        else { throw Self.unexpectedAnswer("settings") }
        return settings
    }

    /// Changes settings and returns one result per change, in the same order.
    public func change(_ order: CameraSettingsOrder) async throws(WorkerFailure) -> [CameraSettingResult] {
        guard case .settingResults(let results) = try await link.request({ .writeSettings(id: $0, order) }),
            results.count == order.changes.count
        else { throw Self.unexpectedAnswer("settings") }
        return results
    }

    /// Sets the camera's clock to the local time of its zone.
    public func setClock() async throws(WorkerFailure) -> CameraClockSetting {
        let offset = configured.zone.secondsFromGMT()
        guard
            case .clockSet(let setting) = try await link.request({
                .setClock(id: $0, zoneOffsetSeconds: offset)
            })
        else { throw Self.unexpectedAnswer("clock") }
        return setting
    }

    /// Starts an operation. It continues by itself; the camera's status shows its progress.
    public func startOperation(_ operation: CameraOperation) async throws(WorkerFailure) {
        _ = try await link.request { .begin(id: $0, operation) }
    }

    /// Stops the running operation, or live view.
    public func endOperation() async throws(WorkerFailure) { _ = try await link.request { .end(id: $0) } }

    /// Focuses, or moves the focus.
    public func focus(_ order: FocusOrder) async throws(WorkerFailure) {
        _ = try await link.request { .focus(id: $0, order) }
    }

    /// Returns the next frame of live view. The first call starts live view, which stops by itself.
    public func liveFrame(_ order: LiveFrameOrder = LiveFrameOrder()) async throws(WorkerFailure) -> LiveFrame
    {
        guard case .frame(let frame) = try await link.request({ .liveFrame(id: $0, order) }), frame.isComplete
        else { throw Self.unexpectedAnswer("live view") }
        return frame
    }

    /// Requests battery, space and clock; the answer arrives as a `facts` notice. This also detects a camera
    /// that no longer responds.
    public func refresh() async throws(WorkerFailure) {
        _ = try await link.request { .refresh(id: $0) }
    }

    /// Disconnects the worker: every open request fails, and the camera gets a new worker.
    public func abandon() { link.disconnect(WorkerLink.gone("the session was abandoned")) }

    private static func unexpectedAnswer(_ command: String) -> WorkerFailure {
        WorkerFailure(kind: .refused, during: command, text: "the worker's reply does not match the request")
    }
}

/// The reason why the owner of a session has finished.
public enum SessionEnd: Hashable, Sendable {
    /// The camera or its worker is gone. `afterProgress`: photos had arrived since it connected.
    case lost(afterProgress: Bool)
    /// Events were lost. Only a new session lists the objects again.
    case relist
    /// The service is stopping.
    case stopping
}

/// An owner of sessions, which transfers the photos of connected cameras. Called once per session.
public protocol SessionOwner: Sendable {
    /// Serves a session until the session ends or the service stops.
    func serve(_ session: CameraSession) async -> SessionEnd
}
