import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import ScriptedWorker
import WorkerProtocol

@testable import Cameras
@testable import CaptureEngine
@testable import Store

/// A camera with a scripted worker, and the engine that serves it.
final class ScriptedCamera: Sendable {
    let root: String
    let ledger: LedgerStore
    let statements = StatementCount()
    let health = HealthBoard { _ in }
    let engine: CaptureEngine
    let connection: CameraConnection
    /// The context for tests of a single part of an intake.
    var context: ConnectionContext {
        ConnectionContext(connection: connection, identity: "test-S1", isProven: true, shared: engine.shared)
    }
    private let notices: AsyncStream<[CameraConnection.Notice]>.Continuation
    let worker: ScriptedWorker

    /// - Parameters:
    ///   - objects: The objects on the card.
    ///   - birth: The creation time of the ledger.
    ///   - sync: The calls that force photos to the disk.
    ///   - seed: A function that prepares the ledger before the engine opens it.
    init(
        _ objects: [CameraObject], facts: CameraFacts = CameraFacts(maker: "Test", model: "T", serial: "S1"),
        deletesAfterSave: Bool = false, port: String = "usb:", birth: Date = Date(),
        configure: (inout CaptureSettings) -> Void = { _ in },
        sync: DiskSync = DiskSync(),
        seed: (_ ledger: LedgerStore, _ root: String) async throws -> Void = { _, _ in },
        reading: @escaping ScriptedWorker.Reading
    ) async throws {
        root = FileManager.default.temporaryDirectory.appending(path: "intake-\(UUID().uuidString)").path
        try DurableFile.createFolder(root + "/photos")
        ledger = try LedgerStore(path: root + "/ledger.sqlite", at: birth, onStatement: statements.record)
        worker = ScriptedWorker(objects, reading: reading)
        try await seed(ledger, root)
        var settings = CaptureSettings(
            directory: root + "/photos", template: try NamingTemplate("{counter}.{ext}"), minFreeBytes: 0,
            pairSettleSeconds: 0, existing: .fetch, folderRecordPath: root + "/capture-folder")
        configure(&settings)
        let registry = CameraRegistry { _ in }
        engine = try await CaptureEngine(
            settings: settings, ledger: ledger, registry: registry, health: health,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, clock: .system, sync: sync,
            onCapture: { _ in })
        let (ours, theirs) = try SocketPair.make()
        let (stream, sink) = AsyncStream<[CameraConnection.Notice]>.makeStream()
        notices = sink
        connection = CameraConnection(
            configured: ConfiguredCamera(
                id: "studio-a", name: "studio-a", port: port, zone: .gmt, deletesAfterSave: deletesAfterSave
            ),
            place: "1-1", facts: facts, notices: stream, link: WorkerLink(socket: ours, name: "test"))
        worker.serve(theirs)
    }

    /// Serves the camera until `isDone` returns `true`, then ends the connection.
    ///
    /// - Returns: The reason for the end. The reason is not the scripted loss if the connection ended
    ///   earlier.
    @discardableResult
    func serve(until isDone: @escaping @Sendable () async throws -> Bool) async throws -> ConnectionEnd {
        try await withThrowingTaskGroup { group in
            group.addTask { try await self.engine.publisher.run() }
            let served = Task { await self.engine.serve(self.connection) }
            var isOver = false
            for _ in 0..<3_000 where !isOver {
                isOver = try await isDone()
                if !isOver { try await Task.sleep(for: .milliseconds(10)) }
            }
            notices.yield([.lost(WorkerFailure(kind: .disconnected, during: "test", text: "the end"))])
            notices.finish()
            let end = await served.value
            connection.abandon()
            group.cancelAll()
            guard isOver else { throw Unfinished(conditions: health.current) }
            return end
        }
    }

    struct Unfinished: Error { var conditions: [Condition] }

    /// Announces an object.
    func announce(_ object: CameraObject) { announce([object]) }

    /// Announces objects that arrived while the intake was busy.
    func announce(_ objects: [CameraObject]) { notices.yield(objects.map { .objectAdded($0) }) }

    /// Returns all captures in the ledger, oldest first.
    func records() async throws -> [CaptureRecord] {
        let last = try await ledger.lastNumber()
        return try await ledger.captures(ids: Set((1...max(1, last.rawValue)).map(CaptureID.init(rawValue:))))
            .values.filter {
                $0.state != .duplicate && ($0.duplicateOf == nil || $0.state != .seen)
            }.sorted { $0.id < $1.id }
    }

    func remove() { try? FileManager.default.removeItem(atPath: root) }
}
