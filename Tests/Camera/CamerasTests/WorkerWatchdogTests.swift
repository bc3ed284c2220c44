import FrameFastModel
import FrameFastSystem
import Synchronization
import Testing
import WorkerProtocol

@testable import Cameras

/// A clock whose awake time advances only when a test calls `advance(byMs:)`.
final class ManualSuspendingClock: Sendable {
    private let elapsedMs = Mutex(0)

    /// A host clock for watchdogs, with the awake time of this clock.
    var hostClock: HostClock {
        var clock = HostClock.system
        clock.awakeTime = { Double(self.elapsedMs.withLock(\.self)) / 1_000 }
        return clock
    }

    func advance(byMs milliseconds: Int) { elapsedMs.withLock { $0 += milliseconds } }
}

@Suite struct WorkerWatchdogTests {
    /// A watchdog that counts how often it ended its worker.
    private struct Watched {
        let clock = ManualSuspendingClock()
        let watch: WorkerWatchdog
        private let counted = Counted()

        private final class Counted: Sendable { let ends = Mutex(0) }

        init(isGuarded: Bool = true) {
            watch = WorkerWatchdog(clock: clock.hostClock)
            if isGuarded { guardWorker() }
        }

        func guardWorker() { watch.guardWorker { [counted] in counted.ends.withLock { $0 += 1 } } }
        var ends: Int { counted.ends.withLock(\.self) }
    }

    private let idle = WorkerHeartbeat(call: nil, runningMs: 0, silentMs: nil)
    private let hung = WorkerHeartbeat(
        call: "list files", runningMs: HangDetection.packetTimeoutMs + 1, silentMs: nil)

    @Test func `ends a worker once after it sent no message for too long`() {
        let watched = Watched()
        watched.watch.recordMessage(idle)
        watched.clock.advance(byMs: HangDetection.messageTimeoutMs)
        watched.watch.checkSilence()
        #expect(watched.ends == 0)
        // A message restarts the measurement.
        watched.watch.recordMessage(nil)
        watched.clock.advance(byMs: 1)
        watched.watch.checkSilence()
        #expect(watched.ends == 0)
        watched.clock.advance(byMs: HangDetection.messageTimeoutMs)
        watched.watch.checkSilence()
        watched.watch.checkSilence()
        #expect(watched.ends == 1)
        #expect(watched.watch.hungCall == "no heartbeat")
    }

    @Test func `allows a longer wait before the first message`() {
        let watched = Watched()
        watched.clock.advance(byMs: HangDetection.startTimeoutMs)
        watched.watch.checkSilence()
        #expect(watched.ends == 0)
        watched.clock.advance(byMs: 1)
        watched.watch.checkSilence()
        #expect(watched.ends == 1)
    }

    @Test func `ends a worker once when its heartbeat reports a hanging call`() {
        let watched = Watched()
        watched.watch.recordMessage(idle)
        watched.watch.recordMessage(hung)
        watched.watch.recordMessage(hung)
        #expect(watched.ends == 1)
        #expect(watched.watch.hungCall == "list files")
    }

    @Test func `ends an already hanging worker when guarding starts`() {
        let watched = Watched(isGuarded: false)
        watched.watch.recordMessage(hung)
        #expect(watched.ends == 0)
        watched.guardWorker()
        #expect(watched.ends == 1)
    }

    @Test func `does not end a worker after guarding has stopped`() {
        let watched = Watched()
        watched.watch.stopGuarding()
        watched.watch.recordMessage(hung)
        #expect(watched.ends == 0)
        #expect(watched.watch.hungCall == "list files")
    }
}
