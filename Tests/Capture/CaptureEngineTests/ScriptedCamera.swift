import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import ScriptedWorker
import Synchronization
import TestRig
import WorkerProtocol

@testable import Cameras
@testable import CaptureEngine
@testable import Store

/// A camera with a scripted worker, and the engine that serves it.
final class ScriptedCamera: Sendable {
    let root: String
    let ledger: LedgerStore
    let statements = StatementCount()
    let conditionBoard = ConditionBoard { _ in }
    let engine: CaptureEngine
    /// The current connection.
    var connection: CameraConnection { current.withLock(\.connection) }
    /// The context for tests of a single part of an intake.
    var context: ConnectionContext {
        ConnectionContext(connection: connection, identity: "test-S1", isProven: true, shared: engine.shared)
    }
    let worker: ScriptedWorker
    private let current: Mutex<OpenConnection>

    /// A connection to the camera.
    private struct OpenConnection {
        var connection: CameraConnection
        var notices: AsyncStream<[CameraConnection.Notice]>.Continuation

        /// Opens a connection to a scripted worker.
        init(_ worker: ScriptedWorker, _ configured: ConfiguredCamera, _ facts: CameraFacts) throws {
            let (ours, theirs) = try SocketPair.make()
            let (stream, sink) = AsyncStream<[CameraConnection.Notice]>.makeStream()
            notices = sink
            connection = CameraConnection(
                configured: configured, place: "1-1", facts: facts, notices: stream,
                link: WorkerLink(socket: ours, name: "test"))
            worker.serve(theirs)
        }
    }

    /// - Parameters:
    ///   - objects: The objects on the card.
    ///   - birth: The creation time of the ledger.
    ///   - sync: The calls that force photos to the disk.
    ///   - onCapture: Called with each changed record.
    ///   - seed: A function that prepares the ledger and the disk before the engine starts.
    init(
        _ objects: [CameraObject], facts: CameraFacts = CameraFacts(maker: "Test", model: "T", serial: "S1"),
        deletesAfterSave: Bool = false, port: String = "usb:", birth: Date = Date(),
        configure: (inout CaptureSettings) -> Void = { _ in },
        sync: DiskSync = DiskSync(), onCapture: @escaping @Sendable (CaptureRecord) -> Void = { _ in },
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
            settings: settings, ledger: ledger, registry: registry, conditionBoard: conditionBoard,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, clock: .system, sync: sync,
            onCapture: onCapture)
        current = Mutex(
            try OpenConnection(
                worker,
                ConfiguredCamera(
                    id: "studio-a", name: "studio-a", port: port, zone: .gmt,
                    deletesAfterSave: deletesAfterSave), facts))
    }

    /// Serves the camera until `isDone` returns `true`, then ends the connection.
    ///
    /// - Returns: The reason why the connection ended: the scripted loss, or another reason if the connection
    ///   ended earlier.
    @discardableResult
    func serve(until isDone: @escaping @Sendable () async throws -> Bool) async throws -> ConnectionEnd {
        try await publishing { try await serveConnection(until: isDone) }
    }

    /// A connection that a test serves.
    struct Visit: Sendable {
        /// The facts that the camera reports, or `nil` for the facts of the previous connection.
        var facts: CameraFacts?
        /// Returns whether the test ends the connection.
        var isDone: @Sendable () async throws -> Bool

        init(facts: CameraFacts? = nil, until isDone: @escaping @Sendable () async throws -> Bool) {
            self.facts = facts
            self.isDone = isDone
        }
    }

    /// Serves the open connection, and then other connections to the same camera.
    func serve(until isDone: @escaping @Sendable () async throws -> Bool, then visits: [Visit]) async throws {
        try await publishing {
            _ = try await serveConnection(until: isDone)
            for visit in visits {
                let last = connection
                let next = try OpenConnection(worker, last.configured, visit.facts ?? last.facts)
                current.withLock { $0 = next }
                _ = try await serveConnection(until: visit.isDone)
            }
        }
    }

    /// Runs the publisher while `body` runs.
    func publishing<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.engine.publisher.run() }
            defer { group.cancelAll() }
            return try await body()
        }
    }

    private func serveConnection(until isDone: @Sendable () async throws -> Bool) async throws
        -> ConnectionEnd
    {
        let (connection, notices) = current.withLock { ($0.connection, $0.notices) }
        let served = Task { await self.engine.serve(connection) }
        var failure: (any Error)?
        do {
            try await eventually("the end of the connection, with \(conditionBoard.current)", every: 10) {
                try await isDone() ? () : nil
            }
        } catch { failure = error }
        notices.yield([.lost(WorkerFailure(kind: .disconnected, during: "test", text: "the end"))])
        notices.finish()
        let end = await served.value
        connection.abandon()
        if let failure { throw failure }
        return end
    }

    /// Announces an object.
    func announce(_ object: CameraObject) { announce([object]) }

    /// Announces objects in one batch, as if they arrived while the intake was busy.
    func announce(_ objects: [CameraObject]) { notify(objects.map { .objectAdded($0) }) }

    /// Reports that announcements were dropped.
    func reportDroppedAnnouncements() { notify([.announcementsDropped]) }

    /// Reports new facts.
    func report(_ facts: CameraFacts) { notify([.facts(facts)]) }

    private func notify(_ notices: [CameraConnection.Notice]) {
        current.withLock { _ = $0.notices.yield(notices) }
    }

    /// Marks the connection as one with hidden objects, as if objects had crashed the driver.
    func hideObjects() { current.withLock { $0.connection.hasQuarantinedObjects = true } }

    /// Returns the captures in the ledger without duplicates, oldest first.
    func records() async throws -> [CaptureRecord] {
        let last = try await ledger.lastNumber()
        return try await ledger.captures(ids: Set((1...max(1, last.rawValue)).map(CaptureID.init(rawValue:))))
            .values.filter {
                $0.state != .duplicate && ($0.duplicateOf == nil || $0.state != .seen)
            }.sorted { $0.id < $1.id }
    }

    func remove() { try? FileManager.default.removeItem(atPath: root) }
}
