import FrameFastModel
import Synchronization
import SystemIO
import WorkerProtocol

/// A watchdog for one worker. The link reports each message to it, and it decides when the worker hangs.
///
/// A pulse reveals a hanging call. The reading thread detects silence when it times out. The watchdog has no
/// timer: a hundred healthy workers cost next to nothing.
final class WorkerWatchdog: Sendable {
    private struct State {
        var lastFrame: SuspendingClock.Instant
        var hasSentMessage = false
        var hungCall: String?
        /// Ends the worker. Called with the lock held, so that it is never called after
        /// ``WorkerWatchdog/stopGuarding()``: the process id may be reused then.
        var end: (@Sendable () -> Void)?

        mutating func endWorker(hungIn call: String) {
            hungCall = hungCall ?? call
            end?()
            end = nil
        }
    }
    private let state: Mutex<State>
    private let now: @Sendable () -> SuspendingClock.Instant

    /// - Parameter now: A clock that stops while the computer sleeps, because a worker can't send during that
    ///   time.
    init(now: @escaping @Sendable () -> SuspendingClock.Instant = { .now }) {
        self.now = now
        state = Mutex(State(lastFrame: now()))
    }

    /// The driver call in which the worker hung, or `nil` if it did not hang.
    var hungCall: String? { state.withLock(\.hungCall) }

    /// Records a message from the worker.
    func recordMessage(_ pulse: WorkerPulse?) {
        state.withLock { state in
            state.lastFrame = now()
            state.hasSentMessage = true
            guard let pulse, let call = pulse.call,
                CallWatch.isHung(
                    call: call, runningMs: pulse.runningMs / DebugSwitches.signOfLifeFactor,
                    silentMs: pulse.silentMs.map { $0 / DebugSwitches.signOfLifeFactor })
            else { return }
            state.endWorker(hungIn: call)
        }
    }

    /// Records that no whole message arrived, and ends a worker that has been silent for too long.
    func checkSilence() {
        state.withLock { state in
            let silence = state.lastFrame.duration(to: now()) / .milliseconds(1)
            guard
                CallWatch.isUnresponsive(
                    Int(silence) / DebugSwitches.signOfLifeFactor, hasSentMessage: state.hasSentMessage)
            else { return }
            state.endWorker(hungIn: "no heartbeat")
        }
    }

    /// Sets the function that ends a hanging worker. It is called once, and at once if the worker already
    /// hangs.
    ///
    /// - Parameter end: Ends the worker. Must not call this watchdog.
    func guardWorker(end: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.end = end
            if let call = state.hungCall { state.endWorker(hungIn: call) }
        }
    }

    /// Stops guarding the worker, because it is ending.
    func stopGuarding() { state.withLock { $0.end = nil } }
}
