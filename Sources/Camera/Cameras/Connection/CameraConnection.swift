import FoundationEssentials
public import FrameFastModel
import FrameFastSystem
import Synchronization
public import WorkerProtocol

/// A connection to a camera, which accepts requests until the connection ends.
public struct CameraConnection: Sendable {
    /// A message from the camera that is not a reply to a request.
    public enum Notice: Sendable, Hashable {
        /// A new object appeared.
        case objectAdded(CameraObject)
        /// The object list has changed and should be checked.
        case listChanged(String)
        /// Announcements were dropped, because too many notices were queued. Only a new connection lists
        /// their objects.
        case announcementsDropped
        /// The number of bytes received so far in the running transfer.
        case progress(bytes: UInt64)
        /// The camera reported new facts.
        case facts(CameraFacts)
        /// The connection ended.
        case lost(WorkerFailure)

        /// The new object, or `nil` for other notices.
        public var object: CameraObject? { if case .objectAdded(let object) = self { object } else { nil } }
    }

    /// The camera's settings in the configuration.
    public let configured: ConfiguredCamera
    /// The stable id of the camera.
    public var camera: CameraID { configured.id }
    /// The camera's USB port path or network address. The port path stays the same when the camera is plugged
    /// in again.
    public let place: String
    /// The facts that the camera reported when it connected.
    public let facts: CameraFacts
    /// The serial number, or `nil` if it cannot identify a body.
    public var serial: String? { CameraBodies.meaningful(facts.serial) }
    /// The notices in order. Notices that arrive while the reader is busy are delivered together. The stream
    /// ends with the connection and supports one reader.
    public let notices: AsyncStream<[Notice]>
    let link: WorkerLink
    /// A number that is unique among all connections of this process, including earlier connections of the
    /// same worker.
    public let identity: UInt64 = CameraConnection.lastIdentity.add(1, ordering: .relaxed).newValue
    private static let lastIdentity = Atomic<UInt64>(0)
    /// The folder to which the worker writes, or `nil` if the worker writes directly to the requested path.
    var parts: PartFolder?
    /// Whether some objects are hidden from the driver because they crashed the driver.
    public internal(set) var hasQuarantinedObjects = false

    /// Lists every file on the camera, in the camera's order, as a stream of portions. A large card takes
    /// minutes on a slow link, but other requests are still performed during that time. Throws
    /// ``WorkerFailure``.
    public func list() -> AsyncThrowingStream<Portion, any Error> { link.list() }

    /// Compares the camera's object handles with the objects of this connection.
    public func compareHandles() async throws(WorkerFailure) -> HandleComparison {
        guard case .compared(let comparison) = try await link.request({ .reconcile(id: $0) }) else {
            throw Self.unexpectedReply("reconcile")
        }
        return comparison
    }

    /// Transfers an object into a file. Transfers may overlap: the next transfer may start while bytes of the
    /// previous one are still being written.
    ///
    /// - Parameters:
    ///   - asWhole: Whether to read the whole object in one request, and accept a size that differs from the
    ///     announced size.
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
            throw Self.unexpectedReply("fetch")
        }
        do {
            // Uses a pool of threads, because taking over a photo may copy the whole file.
            try await Self.takeOverPool.run { [parts] in try parts?.takeOver(to: partPath) }
        } catch PartFolderError.heldByWorker {
            link.disconnect(breach: "the worker still has a photo open that it reported as complete")
            throw WorkerLink.disconnection("the worker still has a photo open")
        } catch {
            throw WorkerFailure(kind: .hostIO, during: "fetch", text: "\(error)")
        }
        return result
    }

    /// The threads that take over photos, for all cameras. Two threads are sufficient, because the disk
    /// limits the speed of copying.
    private static let takeOverPool = BlockingPool(label: "taking over photos", width: 2)

    /// Returns whether the camera can be the body with a serial number from an earlier connection. Several
    /// bodies can have the same ``camera`` in turn. For example, every Sony has the address 192.168.122.1 on
    /// its own network.
    public func canBe(_ serial: String?) -> Bool {
        serial == nil || self.serial == nil || serial == self.serial
    }

    /// Deletes an object from the camera if it has not changed since the transfer.
    public func delete(_ object: CameraObject) async throws(WorkerFailure) {
        _ = try await link.request { .delete(id: $0, object) }
    }

    /// Releases the shutter. During a transfer, the worker releases the shutter between two chunks.
    public func trigger() async throws(WorkerFailure) {
        _ = try await link.request { .trigger(id: $0) }
    }

    /// Returns the camera's settings by FrameFast's keys or the driver's names. An empty list returns all
    /// keys.
    public func settings(_ names: [String] = []) async throws(WorkerFailure) -> [CameraSetting] {
        guard case .settings(let settings) = try await link.request({ .readSettings(id: $0, names: names) })
        else { throw Self.unexpectedReply("settings") }
        return settings
    }

    /// Changes settings. Returns one result for each change, in the same order.
    public func change(_ command: CameraSettingsCommand) async throws(WorkerFailure) -> [CameraSettingResult]
    {
        guard case .settingResults(let results) = try await link.request({ .writeSettings(id: $0, command) }),
            results.count == command.changes.count
        else { throw Self.unexpectedReply("settings") }
        return results
    }

    /// Sets the camera's clock to the current local time in the camera's zone.
    ///
    /// - Parameter isAutomatic: Whether the service sets the clock without a request of the user. The request
    ///   then fails if the driver crashed during an earlier automatic change of the clock.
    public func setClock(isAutomatic: Bool = false) async throws(WorkerFailure) -> CameraClockSetting {
        let offset = configured.zone.secondsFromGMT()
        guard
            case .clockSet(let setting) = try await link.request({
                .setClock(id: $0, zoneOffsetSeconds: offset, isAutomatic: isAutomatic)
            })
        else { throw Self.unexpectedReply("clock") }
        return setting
    }

    /// Starts an operation. The camera's status shows its progress.
    public func startOperation(_ operation: CameraOperation) async throws(WorkerFailure) {
        _ = try await link.request { .begin(id: $0, operation) }
    }

    /// Stops the running operation, or live view.
    public func endOperation() async throws(WorkerFailure) { _ = try await link.request { .end(id: $0) } }

    /// Autofocuses or moves the focus.
    public func focus(_ command: FocusCommand) async throws(WorkerFailure) {
        _ = try await link.request { .focus(id: $0, command) }
    }

    /// Returns the next frame of live view. The first call starts live view. Live view ends some time after
    /// the last call.
    public func liveFrame(_ command: LiveFrameCommand = LiveFrameCommand()) async throws(WorkerFailure)
        -> LiveFrame
    {
        guard case .frame(let frame) = try await link.request({ .liveFrame(id: $0, command) }),
            frame.isComplete
        else { throw Self.unexpectedReply("live view") }
        return frame
    }

    /// Requests battery, space and clock, which arrive as a `facts` notice if they have changed. This request
    /// also detects a camera that no longer responds.
    public func refresh() async throws(WorkerFailure) {
        _ = try await link.request { .refresh(id: $0) }
    }

    /// Disconnects the worker. All open requests fail, and the camera gets a new worker.
    public func abandon() { link.disconnect(WorkerLink.disconnection("the connection was abandoned")) }

    private static func unexpectedReply(_ command: String) -> WorkerFailure {
        WorkerFailure(kind: .refused, during: command, text: "the worker's reply does not match the request")
    }
}

/// The reason why the owner stopped serving a connection.
public enum ConnectionEnd: Hashable, Sendable {
    /// The camera or its worker was lost. `afterProgress`: whether photos had arrived since the connection
    /// started.
    case lost(afterProgress: Bool)
    /// Events were lost. Only a new connection lists the objects again.
    case relist
    /// The service is stopping.
    case stopping
}

/// The owner of connections, which transfers the photos of connected cameras.
public protocol ConnectionOwner: Sendable {
    /// Serves a connection until it ends or the service stops. Called once per connection.
    func serve(_ connection: CameraConnection) async -> ConnectionEnd
}
