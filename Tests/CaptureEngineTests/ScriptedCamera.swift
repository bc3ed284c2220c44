import Cameras
import Crypto
import Foundation
import FrameFastModel
import FrameFastSystem
import Glibc
import Logging
import Store
import Synchronization
import SystemPackage
import WorkerProtocol

@testable import Cameras
@testable import CaptureEngine

/// A worker that does what a test says, at the far end of a real link, and the engine that it works for.
final class ScriptedCamera: Sendable {
    /// What the worker gives for an object's bytes; it fails as thrown.
    typealias Reading =
        @Sendable (
            _ object: CameraObject, _ reading: Int, _ asWhole: Bool
        ) throws(WorkerFailure) -> Data

    let root: String
    let ledger: LedgerStore
    let health = HealthBoard { _ in }
    let engine: CaptureEngine
    let session: CameraSession
    private let notices: AsyncStream<CameraSession.Notice>.Continuation
    private let objects: [CameraObject]
    private let reading: Reading
    private let state = Mutex(State())

    private struct State {
        var readings: [CameraObject: Int] = [:]
        var deleted: [CameraObject] = []
        var onDelete: (@Sendable (CameraObject) -> Void)?
    }

    /// - Parameter objects: What is on the card.
    init(
        _ objects: [CameraObject], facts: CameraFacts = CameraFacts(maker: "Test", model: "T", serial: "S1"),
        deletesAfterSave: Bool = false, configure: (inout CaptureSettings) -> Void = { _ in },
        reading: @escaping Reading
    ) async throws {
        root = FileManager.default.temporaryDirectory.appending(path: "intake-\(UUID().uuidString)").path
        try DurableFile.createFolder(root + "/photos")
        ledger = try LedgerStore(path: root + "/ledger.sqlite")
        self.objects = objects
        self.reading = reading
        var settings = CaptureSettings(
            directory: root + "/photos", template: try NamingTemplate("{counter}.{ext}"), minFreeBytes: 0,
            pairSettleSeconds: 0, existing: .fetch, folderMemory: root + "/capture-folder")
        configure(&settings)
        let registry = CameraRegistry { _ in }
        engine = try await CaptureEngine(
            settings: settings, ledger: ledger, registry: registry, health: health,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, onCapture: { _ in })
        let (ours, theirs) = try SocketPair.make()
        let (stream, sink) = AsyncStream<CameraSession.Notice>.makeStream()
        notices = sink
        session = CameraSession(
            configured: ConfiguredCamera(
                name: "studio-a", port: "usb:", zone: .gmt, deletesAfterSave: deletesAfterSave),
            place: "1-1", facts: facts, notices: stream, link: WorkerLink(socket: ours, name: "test"))
        let worker = Thread { [self] in work(theirs) }
        worker.start()
    }

    /// Serves the camera until `isDone`, then ends the session.
    func serve(until isDone: @escaping @Sendable () async throws -> Bool) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await self.engine.publisher.run() }
            let served = Task { await self.engine.serve(self.session) }
            var isOver = false
            for _ in 0..<3_000 where !isOver {
                isOver = try await isDone()
                if !isOver { try await Task.sleep(for: .milliseconds(10)) }
            }
            notices.yield(.lost(WorkerFailure(kind: .disconnected, during: "test", text: "the end")))
            notices.finish()
            _ = await served.value
            session.abandon()
            group.cancelAll()
            guard isOver else { throw Unfinished(conditions: health.current) }
        }
    }

    struct Unfinished: Error { var conditions: [Condition] }

    /// Announces an object.
    func announce(_ object: CameraObject) { notices.yield(.objectAdded(object)) }

    /// Calls `body` in the worker's place when an object is to be deleted or released.
    func onDelete(_ body: @escaping @Sendable (CameraObject) -> Void) {
        state.withLock { $0.onDelete = body }
    }

    /// What was deleted or released, in order.
    var deleted: [CameraObject] { state.withLock(\.deleted) }

    /// How often an object was read.
    func readings(_ object: CameraObject) -> Int { state.withLock { $0.readings[object] ?? 0 } }

    /// Everything in the ledger, oldest first.
    func records() async throws -> [CaptureRecord] {
        try await ledger.captures(CaptureQuery(limit: 5_000)).reversed()
    }

    func remove() { try? FileManager.default.removeItem(atPath: root) }

    // MARK: the worker

    private func work(_ socket: FileDescriptor) {
        defer { try? socket.close() }
        while let prefix = read(socket, WorkerFrame.prefixBytes),
            let length = try? WorkerFrame.bodyLength(prefix: prefix), let body = read(socket, length),
            let command = try? WorkerFrame.decode(WorkerCommand.self, from: Data(body))
        {
            for event in answers(to: command) {
                guard let frame = try? WorkerFrame.encode(event), (try? socket.writeAll(frame)) != nil else {
                    return
                }
            }
        }
    }

    private func read(_ socket: FileDescriptor, _ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var part = [UInt8](repeating: 0, count: count - bytes.count)
            let got = part.withUnsafeMutableBytes { (try? socket.read(into: $0)) ?? 0 }
            guard got > 0 else { return nil }
            bytes += part[..<got]
        }
        return bytes
    }

    private func answers(to command: WorkerCommand) -> [WorkerEvent] {
        switch command {
        case .list(let id): return [.listed(id: id, objects, isLast: true, total: objects.count)]
        case .reconcile(let id): return [.reconciled(id: id, missing: 0, total: objects.count)]
        case .refresh(let id): return [.done(id: id)]
        case .fetch(let id, let request): return [fetch(id, request)]
        case .delete(let id, let object):
            state.withLock { state -> (@Sendable (CameraObject) -> Void)? in
                state.deleted.append(object)
                return state.onDelete
            }?(object)
            return [.done(id: id)]
        default: return []
        }
    }

    private func fetch(_ id: UInt64, _ request: FetchRequest) -> WorkerEvent {
        let object = CameraObject(
            folder: request.folder, name: request.name, size: request.announcedSize, cameraTime: 1)
        let number = state.withLock { state -> Int in
            state.readings[object, default: 0] += 1
            return state.readings[object, default: 0]
        }
        let bytes: Data
        do throws(WorkerFailure) { bytes = try reading(object, number, request.asWhole) } catch {
            return .failed(id: id, error)
        }
        guard (try? bytes.write(to: URL(filePath: request.partPath), options: .withoutOverwriting)) != nil
        else {
            return .failed(id: id, WorkerFailure(kind: .hostIO, during: "fetch", text: "cannot write"))
        }
        let digest = SHA256.hash(data: bytes).map { String(format: "%02x", $0) }.joined()
        return .fetched(id: id, FetchResult(bytes: UInt64(bytes.count), sha256: digest, transferMs: 1))
    }
}
