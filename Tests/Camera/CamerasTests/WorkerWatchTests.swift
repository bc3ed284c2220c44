import FrameFastModel
import Synchronization
import Testing
import WorkerProtocol

@testable import Cameras

/// A clock that stands until somebody sleeps, and counts how often somebody did.
private final class SleepersClock: Sendable {
    private let state = Mutex((now: ContinuousClock.now, sleeps: 0))

    var now: ContinuousClock.Instant { state.withLock(\.now) }
    var sleeps: Int { state.withLock(\.sleeps) }

    func advance(to instant: ContinuousClock.Instant) {
        state.withLock {
            $0.sleeps += 1
            $0.now = max($0.now, instant)
        }
    }
    func advance(by time: Duration) { state.withLock { $0.now += time } }
}

@Suite struct WorkerWatchTests {
    private let idle = WorkerPulse(call: nil, runningMs: 0, silentMs: nil)

    @Test func `a worker that is well wakes its watch once in five seconds, not with each pulse`() async {
        let clock = SleepersClock()
        let watch = WorkerWatch { clock.now }
        watch.heard(idle)
        let start = clock.now
        let ends = Mutex(0)
        let minute: Duration = .seconds(60)
        await watch.guardWorker { deadline in
            // A pulse each second until then; after a minute none.
            while clock.now < deadline {
                clock.advance(by: .seconds(1))
                if start.duration(to: clock.now) <= minute { watch.heard(self.idle) }
            }
            clock.advance(to: deadline)
        } end: {
            ends.withLock { $0 += 1 }
        }
        #expect(ends.withLock(\.self) == 1)
        #expect(watch.hungCall == "no sign of life")
        let silence = start.duration(to: clock.now) - minute
        #expect(silence <= .milliseconds(CallWatch.quietMaxMs) + .seconds(1))
        #expect(clock.sleeps <= 66 / 5 + 1)
    }

    @Test func `a pulse that says that a call hangs ends the worker at once, and once`() async {
        let clock = SleepersClock()
        let watch = WorkerWatch { clock.now }
        let ends = Mutex(0)
        let hung = WorkerPulse(call: "list files", runningMs: CallWatch.silenceMaxMs + 1, silentMs: nil)
        await watch.guardWorker { _ in
            watch.heard(hung)
            #expect(ends.withLock(\.self) == 1)
            watch.heard(hung)
        } end: {
            ends.withLock { $0 += 1 }
        }
        #expect(ends.withLock(\.self) == 1)
        #expect(watch.hungCall == "list files")
    }

    @Test func `a worker that hung before it was guarded is ended as soon as it is`() async {
        let watch = WorkerWatch()
        watch.heard(WorkerPulse(call: "open", runningMs: CallWatch.silenceMaxConnectingMs + 1, silentMs: nil))
        let ends = Mutex(0)
        await watch.guardWorker { _ in
            Issue.record("there is nothing to wait for")
        } end: {
            ends.withLock { $0 += 1 }
        }
        #expect(ends.withLock(\.self) == 1)
    }

    @Test func `what is not guarded any more is not ended`() async {
        let watch = WorkerWatch()
        let ends = Mutex(0)
        await watch.guardWorker { _ in
            throw CancellationError()
        } end: {
            ends.withLock { $0 += 1 }
        }
        watch.heard(WorkerPulse(call: "get", runningMs: CallWatch.silenceMaxMs + 1, silentMs: nil))
        #expect(ends.withLock(\.self) == 0)
        #expect(watch.hungCall == "get")
    }

    @Test func `before its first frame a worker has longer`() async {
        let clock = SleepersClock()
        let watch = WorkerWatch { clock.now }
        let start = clock.now
        await watch.guardWorker {
            clock.advance(to: $0)
        } end: {
        }
        #expect(start.duration(to: clock.now) == .milliseconds(CallWatch.startMaxMs + 1))
        #expect(clock.sleeps == 1)
    }
}
