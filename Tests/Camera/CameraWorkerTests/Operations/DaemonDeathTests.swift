import Foundation
import FrameFastModel
import Glibc
import Synchronization
import TestRig
import Testing
import WorkerProtocol

/// Tests of exposures during which the daemon exits.
@Suite(.programs(2)) struct DaemonDeathTests {
    /// A thread that starts a program and remains its parent thread until the test ends the thread.
    private final class ParentThread: Sendable {
        private let mayEnd = DispatchSemaphore(value: 0)

        func start(_ program: @escaping @Sendable () throws -> pid_t) throws -> pid_t {
            let result = Mutex<Result<pid_t, any Error>>(.success(0))
            let isDone = DispatchSemaphore(value: 0)
            Thread { [mayEnd] in
                result.withLock { $0 = Result { try program() } }
                isDone.signal()
                mayEnd.wait()
            }.start()
            isDone.wait()
            return try result.withLock { try $0.get() }
        }

        func finish() { mayEnd.signal() }
    }

    /// The thread that started the worker ends. The socket stays open until the daemon's last thread ends.
    @Test func `keeps an exposure running after the daemon's thread that started the worker ends`() throws {
        let camera = try SimulatedCamera(maker: "canon", ["--size", "50KB"])
        let daemon = ParentThread()
        let worker = try WorkerProcess(starting: { try daemon.start($0) })
        _ = try worker.open(camera)
        _ = try worker.list()
        let id = try worker.send { .begin(id: $0, .bulb(BulbCommand(durationMs: 2_000))) }
        #expect(try worker.reply(to: id) == .done(id: id))
        daemon.finish()
        let end = try worker.wait { event -> CameraOperationProgress? in
            guard case .operation(let progress) = event, progress.state != .running else { return nil }
            return progress
        }
        #expect(end.state == .ended && end.done == 1 && end.reason == nil, "\(end)")
        #expect(try camera.send("bulb-state").contains("\"open\":false"))
    }

    @Test func `after a worker loses its camera, the next worker closes the shutter`() throws {
        // The camera has a separate address. While the link is down, no other connection can use this address
        // and port.
        let camera = try SimulatedCamera(maker: "canon", host: "127.0.4.1", ["--size", "50KB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        _ = try worker.list()
        let id = try worker.send { .begin(id: $0, .bulb(BulbCommand(durationMs: 600_000))) }
        #expect(try worker.reply(to: id) == .done(id: id))
        worker.hangUp()
        try camera.send("link down")
        worker.waitForExit()
        try camera.send("link up")
        #expect(try camera.send("bulb-state").contains("\"open\":true"))
        let next = try WorkerProcess(home: worker.scratch)
        try next.openAgain(camera)
        #expect(try camera.send("bulb-state").contains("\"open\":false"))
    }
}
