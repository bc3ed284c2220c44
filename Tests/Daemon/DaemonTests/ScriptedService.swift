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

/// The parts of a service in this process, and cameras whose workers a test plays: no program is started and no socket
/// is opened.
final class ScriptedService: Sendable {
    /// A camera whose id is not its name, as those that are plugged in are.
    struct Body: Sendable {
        let id: CameraID
        let name: String
        let worker: ScriptedWorker
        var serial: String
        /// The preset of its table.
        var preset: String?
        /// What is done about its clock, and how far that is off.
        var clock = ClockPolicy.ask
        var driftSeconds: Int?
    }

    let folder: ScratchFolder
    let parts: DaemonParts
    let control: DaemonControl
    let captures: String
    /// A log that nobody reads.
    static let silence = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    /// What ends the sessions.
    private let ends = Mutex<[CameraID: @Sendable () async -> Void]>([:])

    var registry: CameraRegistry { parts.registry }
    var ledger: LedgerStore { parts.ledger }

    /// - Parameter tables: More of the configuration than where its files are.
    init(_ tables: String = "") async throws {
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
            logger: Self.silence)
        control = DaemonControl(parts)
    }

    /// Runs what stands behind the socket while `body` does.
    func running(_ body: () async throws -> Void) async throws {
        let background = [
            Task { [parts] in try await parts.engine.publisher.run() },
            Task { [parts] in try await parts.uploads.run() },
            Task { [parts] in await EventDispatcher(parts, logger: Self.silence).run() },
        ]
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        for end in ends.withLock({ $0.values }) { await end() }
        for task in background { task.cancel() }
        for task in background { _ = await task.result }
        try result.get()
    }

    /// Remembers cameras that are not there, as after an earlier start.
    func remember(_ bodies: [Body]) async throws {
        for body in bodies {
            try await ledger.keep(
                RosterRecord(id: body.id, name: body.name, serial: body.serial, port: "usb:001,004"))
        }
        try await parts.fleet.loadRoster()
    }

    /// Connects a camera that is remembered; its photos are fetched from now on.
    func connect(_ body: Body) throws {
        let (session, notice) = try open(body)
        registry.connected(session, camera: body.id)
        registry.update(body.id, state: .ready, facts: session.facts)
        let (owner, registry) = (parts.connected, registry)
        let served = Task {
            _ = await owner.serve(session)
            registry.connected(nil, camera: body.id)
            session.abandon()
        }
        ends.withLock {
            $0[body.id] = {
                notice.yield([.lost(WorkerFailure(kind: .disconnected, during: "test", text: "the end"))])
                notice.finish()
                _ = await served.value
            }
        }
    }

    /// Ends the session of a camera that was connected.
    func disconnect(_ body: Body) async { await ends.withLock { $0.removeValue(forKey: body.id) }?() }

    /// A session with a camera, which nobody serves yet.
    func open(
        _ body: Body
    ) throws -> (session: CameraSession, notices: AsyncStream<[CameraSession.Notice]>.Continuation) {
        let (ours, theirs) = try SocketPair.make()
        let (notices, notice) = AsyncStream<[CameraSession.Notice]>.makeStream()
        let session = CameraSession(
            configured: ConfiguredCamera(
                id: body.id, name: body.name, port: "usb:001,004", zone: .gmt, deletesAfterSave: false,
                clock: body.clock, preset: body.preset),
            place: body.id.rawValue,
            facts: CameraFacts(
                maker: "Test", model: "T", serial: body.serial, batteryPercent: 50,
                clockDriftSeconds: body.driftSeconds),
            notices: notices, link: WorkerLink(socket: ours, name: body.id.rawValue))
        body.worker.serve(theirs)
        return (session, notice)
    }

    /// The same with these cameras, once so many photos of them are at an end.
    func running(
        with bodies: [Body], photos count: Int, _ body: (DaemonControl) async throws -> Void
    ) async throws {
        try await remember(bodies)
        try await running {
            for one in bodies { try connect(one) }
            try await eventually("the engine to serve each camera") {
                bodies.allSatisfy { parts.engine.identity(ofCamera: $0.id) != nil } ? () : nil
            }
            try await settled(count)
            try await body(control)
        }
    }

    /// Waits until so many photos are at an end.
    func settled(_ count: Int) async throws {
        var records: [CaptureRecord] = []
        func found() -> String {
            let photos = records.map { "\($0.object.name) \($0.state) \($0.failure ?? "")" }
            return "\(photos), \(registry.all.map { "\($0.name) \($0.state)" })"
        }
        try await eventually("\(count) photos to be at an end; \(found())") {
            records = try await ledger.captures(CaptureQuery(limit: 1_000)).map(\.record)
            let done = records.count { $0.state != .seen && $0.state != .publishing }
            return done == count && records.count == count ? () : nil
        }
    }
}
