import FrameFastModel
import GPhoto2
import Glibc
import WorkerProtocol

/// The driver thread's loop, which runs one connection after another until the daemon sends `close`.
final class DriverLoop {
    private let daemon: DaemonLink
    private let queue: CommandQueue
    private let activity: DriverActivity
    private let tap: PacketTap
    private let sink: PhotoSink
    private let process: ProcessShutdown
    private let photoStore = MemoryPhotoStore()
    private var lock = SessionLock()

    init(
        daemon: DaemonLink, queue: CommandQueue, activity: DriverActivity, tap: PacketTap,
        process: ProcessShutdown
    ) {
        self.process = process
        self.daemon = daemon
        self.queue = queue
        self.activity = activity
        self.tap = tap
        sink = PhotoSink(daemon: daemon)
        tap.beforeMemoryRead = { [photoStore] in photoStore.waitUntilSynced() }
    }

    /// Runs until the process ends.
    func run() -> Never {
        var pending: (id: UInt64, request: OpenRequest)?
        while true {
            guard let opening = pending ?? nextOpening() else { finish() }
            pending = nil
            switch runConnection(opening.id, opening.request) {
            case .closed: finish()
            case .lost: break
            case .reopen(let id, let request): pending = (id, request)
            }
        }
    }

    /// Waits for an `open` command and returns its request, or returns `nil` for a `close` command. Refuses
    /// every other command, because no camera is open.
    private func nextOpening() -> (id: UInt64, request: OpenRequest)? {
        while true {
            switch queue.next() {
            case nil: queue.wait()
            case .close: return nil
            case .open(let id, let request): return (id, request)
            case .some(let command):
                let failure = WorkerFailure(kind: .disconnected, during: "start", text: "no camera is open")
                if let id = command.id { daemon.send(.failed(id: id, failure)) }
            }
        }
    }

    private func runConnection(_ id: UInt64, _ request: OpenRequest) -> DriverConnection.End {
        guard lock.acquire(request.port) else {
            daemon.send(.failed(id: id, .earlierWorkerIsEnding))
            return .lost
        }
        StandardInput.occupy()
        do throws(CameraError) {
            let camera = try CameraHandle(
                port: request.port, quarantined: request.quarantinedHandles,
                keepsOnCard: request.captureTarget != .host, tap: tap, activity: activity)
            var connection = DriverConnection(
                camera: camera, request: request, daemon: daemon, queue: queue, sink: sink,
                photoStore: photoStore, process: process, duties: DutyTable.make())
            return connection.run(replyingTo: id)
        } catch {
            daemon.send(.failed(id: id, WorkerFailure(error, during: "open")))
            return .lost
        }
    }

    private func finish() -> Never {
        photoStore.waitUntilSynced()
        sink.drain()
        _exit(WorkerExit.requested)
    }
}
