import FrameFastModel
import Synchronization
import WorkerProtocol

/// Watches one worker: fed by its frames, it decides when the worker hangs.
///
/// A call that hangs is found in the pulse that says so; silence is found when its time is up. In between nothing wakes:
/// a hundred workers that are well cost next to nothing.
final class WorkerWatch: Sendable {
    private struct State {
        var lastFrame: ContinuousClock.Instant
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
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameter now: The time; another one for tests.
    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
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
                CallWatch.isHung(call: call, runningMs: pulse.runningMs, silentMs: pulse.silentMs)
            else { return }
            state.hangs(in: call)
        }
    }

    /// Calls `end` once when the worker hangs; returns soon after that, or when cancelled.
    ///
    /// - Parameters:
    ///   - sleep: Waits until then; throws when it is cancelled.
    ///   - end: Ends the worker. Must not call this watch.
    func guardWorker(
        sleep: (ContinuousClock.Instant) async throws -> Void = {
            try await Task.sleep(until: $0, clock: .continuous)
        },
        end: @escaping @Sendable () -> Void
    ) async {
        state.withLock { state in
            state.end = end
            // It was found hanging before anybody guarded it.
            if let call = state.hungCall { state.hangs(in: call) }
        }
        defer { state.withLock { $0.end = nil } }
        while let deadline = look() {
            do { try await sleep(deadline) } catch { return }
        }
    }

    /// Ends a worker that has been silent for too long.
    ///
    /// - Returns: when to look again; `nil` once the worker hangs.
    private func look() -> ContinuousClock.Instant? {
        state.withLock { state in
            guard state.hungCall == nil else { return nil }
            let silence = state.lastFrame.duration(to: now()) / .milliseconds(1)
            guard CallWatch.isQuiet(Int(silence), hasSpoken: state.hasSpoken) else {
                return state.lastFrame + .milliseconds(CallWatch.quietMs(hasSpoken: state.hasSpoken) + 1)
            }
            state.hangs(in: "no sign of life")
            return nil
        }
    }
}
