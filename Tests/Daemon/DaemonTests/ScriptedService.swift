import Foundation
import FrameFastModel
import FrameFastSystem
import Glibc
import Logging
import ScriptedWorker
import Store
import Synchronization
import TestRig
import UploadEngine
import WorkerProtocol

@testable import Cameras
@testable import CaptureEngine
@testable import FrameFastConfiguration
@testable import FrameFastDaemon
@testable import Previews

/// A service in this process, with cameras whose workers a test simulates. The service does not start
/// programs or listen on sockets.
final class ScriptedService: Sendable {
    /// A camera whose id differs from its name, like a USB camera.
    struct Body: Sendable {
        let id: CameraID
        let name: String
        let worker: ScriptedWorker
        var serial: String
        /// The preset in the camera's table.
        var preset: String?
        /// The policy for the camera's clock, and the drift of the clock in seconds.
        var clock = ClockPolicy.ask
        var driftSeconds: Int?
    }

    let folder: ScratchFolder
    let parts: DaemonParts
    let control: DaemonControl
    let captures: String
    /// A logger without output.
    static let silence = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    /// The functions that end the connections.
    private let ends = Mutex<[CameraID: @Sendable () async -> Void]>([:])

    var registry: CameraRegistry { parts.registry }
    var ledger: LedgerStore { parts.ledger }

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - tables: Additional tables of the configuration. The service's folders are already configured.
    ///   - clock: The clock of all parts.
    ///   - pictureWorker: The worker that makes pictures, or `nil` if the test requests no pictures.
    init(
        _ tables: String = "", clock: HostClock = .system, pictureWorker: ScriptedPictureWorker? = nil
    ) async throws {
        folder = try ScratchFolder()
        captures = folder.path("captures")
        let file = folder.path("framefast.toml")
        let text = """
            [state]
            directory = "\(folder.path("state"))"
            [api]
            socket = "\(folder.path("ff.sock"))"
            [capture]
            directory = "\(captures)"
            template = "{camera}-{counter:03}.{ext}"
            min_free = "1 MiB"
            pair_settle = "0 s"

            """
        try (text + tables).write(toFile: file, atomically: true, encoding: .utf8)
        try DurableFile.createFolder(folder.path("state"))
        parts = try await DaemonParts(
            configuration: try Configuration.load(flags: .init(configFile: file), environment: [:]),
            clock: clock, logger: Self.silence, pictureWorkers: pictureWorker.map(Self.start))
        control = DaemonControl(parts)
    }

    private static func start(_ worker: ScriptedPictureWorker) -> PictureWorkerStart {
        PictureWorkerStart { socket in
            let process = worker.start(socket)
            return .init(
                kill: { process.kill() }, waitForEnd: { await process.waitForEnd() },
                processorSeconds: { worker.processorSeconds })
        }
    }

    /// Runs the engines and the event dispatcher while `body` runs.
    func running(_ body: () async throws -> Void) async throws {
        let background = [
            Task { [parts] in try await parts.engine.publisher.run() },
            Task { [parts] in try await parts.uploads.run() },
            Task { [parts] in await parts.previews.run() },
            Task { [parts] in await EventDispatcher(parts, logger: Self.silence).run() },
        ]
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        for end in ends.withLock({ $0.values }) { await end() }
        for task in background { task.cancel() }
        for task in background { _ = await task.result }
        try result.get()
    }

    /// Adds disconnected cameras to the fleet, as if an earlier run had stored them.
    func remember(_ bodies: [Body]) async throws {
        for body in bodies {
            try await ledger.saveCamera(
                RosterRecord(id: body.id, name: body.name, serial: body.serial, port: "usb:001,004"))
        }
        try await parts.fleet.loadRoster()
    }

    /// Connects a stored camera and starts fetching its photos.
    func connect(_ body: Body) throws {
        let (connection, notice) = try open(body)
        registry.setConnection(connection, of: body.id)
        registry.update(body.id, state: .ready, facts: connection.facts)
        let (owner, registry) = (parts.connected, registry)
        let served = Task {
            _ = await owner.serve(connection)
            registry.setConnection(nil, of: body.id)
            connection.abandon()
        }
        ends.withLock {
            $0[body.id] = {
                notice.yield([.lost(WorkerFailure(kind: .disconnected, during: "test", text: "the end"))])
                notice.finish()
                _ = await served.value
            }
        }
    }

    /// Ends the connection of a camera.
    func disconnect(_ body: Body) async { await ends.withLock { $0.removeValue(forKey: body.id) }?() }

    /// Opens a connection to a camera, without an owner that serves the connection.
    func open(
        _ body: Body
    ) throws -> (connection: CameraConnection, notices: AsyncStream<[CameraConnection.Notice]>.Continuation) {
        let (ours, theirs) = try SocketPair.make()
        let (notices, notice) = AsyncStream<[CameraConnection.Notice]>.makeStream()
        let link = WorkerLink(socket: ours, name: body.id.rawValue)
        link.setStatusHandler { [registry] in registry.apply($0, to: body.id) }
        let connection = CameraConnection(
            configured: ConfiguredCamera(
                id: body.id, name: body.name, port: "usb:001,004", zone: .gmt, deletesAfterSave: false,
                clock: body.clock, preset: body.preset),
            place: body.id.rawValue,
            facts: CameraFacts(
                maker: "Test", model: "T", serial: body.serial, batteryPercent: 50,
                clockDriftSeconds: body.driftSeconds),
            notices: notices, link: link)
        body.worker.serve(theirs)
        return (connection, notice)
    }

    /// Runs `body` with a connection to a camera. No owner serves the connection.
    ///
    /// An owner resumes the camera's interval at an arbitrary time after the connection starts. A test that
    /// counts the commands of an interval therefore has no owner.
    func withUnservedConnection(
        to camera: Body, _ body: (CameraConnection) async throws -> Void
    ) async throws {
        try await remember([camera])
        let (connection, notices) = try open(camera)
        defer {
            notices.finish()
            connection.abandon()
        }
        registry.setConnection(connection, of: camera.id)
        registry.update(camera.id, state: .ready, facts: connection.facts)
        try await body(connection)
    }

    /// Runs the service with these cameras. Calls `body` after this number of their photos are in a final
    /// state.
    func running(
        with bodies: [Body], photos count: Int, _ body: (DaemonControl) async throws -> Void
    ) async throws {
        try await remember(bodies)
        try await running {
            for one in bodies { try connect(one) }
            try await eventually("the engine to serve each camera") {
                bodies.allSatisfy { parts.engine.identity(ofCamera: $0.id) != nil } ? () : nil
            }
            try await waitForPhotos(count)
            try await body(control)
        }
    }

    /// Waits until the ledger has exactly this number of photos, all in a final state.
    func waitForPhotos(_ count: Int) async throws {
        var records: [CaptureRecord] = []
        func found() -> String {
            let photos = records.map { "\($0.object.name) \($0.state) \($0.failure ?? "")" }
            return "\(photos), \(registry.all.map { "\($0.name) \($0.state)" })"
        }
        try await eventually("\(count) photos to be in a final state; \(found())") {
            records = try await ledger.captures(CaptureQuery(limit: 1_000)).map(\.record)
            let done = records.count { $0.state != .seen && $0.state != .publishing }
            return done == count && records.count == count ? () : nil
        }
    }
}
