import FrameFastModel
import FrameFastSystem
import Synchronization
import SystemIO
import WorkerProtocol

/// A watchdog for one worker. ``WorkerLink`` reports each message to the watchdog, which decides whether the
/// worker hangs.
///
/// A heartbeat reports a hanging call. The reading thread's timeout detects a worker that sends nothing. The
/// watchdog has no timer, which keeps the cost of many healthy workers low.
final class WorkerWatchdog: Sendable {
    private struct State {
        /// The clock's `awakeTime` at the last message, in seconds.
        var lastMessageAt: Double
        var hasSentMessage = false
        var hungCall: String?
        /// Ends the worker. Called while the lock is held. Never called after
        /// ``WorkerWatchdog/stopGuarding()``, because the process id may then belong to another process.
        var end: (@Sendable () -> Void)?

        mutating func endWorker(hungIn call: String) {
            hungCall = hungCall ?? call
            end?()
            end = nil
        }
    }
    private let state: Mutex<State>
    private let clock: HostClock

    /// - Parameter clock: The clock whose `awakeTime` measures the silence. A worker can't send while the
    ///   system is suspended.
    init(clock: HostClock) {
        self.clock = clock
        state = Mutex(State(lastMessageAt: clock.awakeTime()))
    }

    /// The driver call in which the worker hung, `no heartbeat` if it sent nothing, or `nil` if it did not
    /// hang.
    var hungCall: String? { state.withLock(\.hungCall) }

    /// Records a message from the worker.
    func recordMessage(_ heartbeat: WorkerHeartbeat?) {
        state.withLock { state in
            state.lastMessageAt = clock.awakeTime()
            state.hasSentMessage = true
            guard let heartbeat, let call = heartbeat.call,
                HangDetection.isHung(
                    call: call, runningMs: heartbeat.runningMs / DebugSwitches.signOfLifeFactor,
                    silentMs: heartbeat.silentMs.map { $0 / DebugSwitches.signOfLifeFactor })
            else { return }
            state.endWorker(hungIn: call)
        }
    }

    /// Records that no complete message arrived. Ends a worker that has not sent a message for too long.
    func checkSilence() {
        state.withLock { state in
            // Rounded, because the difference of two floating-point numbers is not exact.
            let silence = ((clock.awakeTime() - state.lastMessageAt) * 1_000).rounded()
            guard
                HangDetection.isUnresponsive(
                    Int(silence) / DebugSwitches.signOfLifeFactor, hasSentMessage: state.hasSentMessage)
            else { return }
            state.endWorker(hungIn: "no heartbeat")
        }
    }

    /// Sets the function that ends a hanging worker. The function is called at most once. If the worker
    /// already hangs, the function is called immediately.
    ///
    /// - Parameter end: A function that ends the worker. The function must not call this watchdog.
    func guardWorker(end: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.end = end
            if let call = state.hungCall { state.endWorker(hungIn: call) }
        }
    }

    /// Stops guarding the worker, because it is ending.
    func stopGuarding() { state.withLock { $0.end = nil } }
}
