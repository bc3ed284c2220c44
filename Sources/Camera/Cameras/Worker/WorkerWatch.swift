import FrameFastModel
import PlainThreads
import Synchronization
import WorkerProtocol

/// Watches one worker: fed by its frames, it decides when the worker hangs.
///
/// A call that hangs is found in the pulse that says so; silence is found by who reads from the worker and waited in vain.
/// Nothing wakes for it: a hundred workers that are well cost next to nothing.
final class WorkerWatch: Sendable {
    private struct State {
        var lastFrame: SuspendingClock.Instant
        var hasSpoken = false
        var hungCall: String?
        /// Ends the worker. Called with the lock held, so that nobody ends what is not guarded any more: its number may
        /// be another process's then.
        var end: (@Sendable () -> Void)?

        mutating func hangs(in call: String) {
            hungCall = hungCall ?? call
            end?()
            end = nil
        }
    }
    private let state: Mutex<State>
    private let now: @Sendable () -> SuspendingClock.Instant

    /// - Parameter now: The time that the computer was awake. A worker cannot speak while the computer sleeps.
    init(now: @escaping @Sendable () -> SuspendingClock.Instant = { .now }) {
        self.now = now
        state = Mutex(State(lastFrame: now()))
    }

    /// The driver call in which the worker hung, once it was found hanging.
    var hungCall: String? { state.withLock(\.hungCall) }

    /// A frame came from the worker.
    func heard(_ pulse: WorkerPulse?) {
        state.withLock { state in
            state.lastFrame = now()
            state.hasSpoken = true
            guard let pulse, let call = pulse.call,
                CallWatch.isHung(
                    call: call, runningMs: pulse.runningMs / DebugSwitches.signOfLifeFactor,
                    silentMs: pulse.silentMs.map { $0 / DebugSwitches.signOfLifeFactor })
            else { return }
            state.hangs(in: call)
        }
    }

    /// Nothing came, or no whole frame: ends a worker that has been silent for too long.
    func heardNothing() {
        state.withLock { state in
            let silence = state.lastFrame.duration(to: now()) / .milliseconds(1)
            guard
                CallWatch.isQuiet(
                    Int(silence) / DebugSwitches.signOfLifeFactor, hasSpoken: state.hasSpoken)
            else { return }
            state.hangs(in: "no sign of life")
        }
    }

    /// From now on `end` is called once when the worker hangs; at once when it was found hanging before.
    ///
    /// - Parameter end: Ends the worker. Must not call this watch.
    func guardWorker(end: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.end = end
            if let call = state.hungCall { state.hangs(in: call) }
        }
    }

    /// The worker is at its end: it is not ended any more.
    func release() { state.withLock { $0.end = nil } }
}
