import FrameFastModel
import Synchronization
import WorkerProtocol

/// Watches one worker: fed by its pulses, it decides when the worker hangs.
final class WorkerWatch: Sendable {
    private struct State {
        var lastFrame = ContinuousClock.now
        var hasSpoken = false
        var hungCall: String?
    }
    private let state = Mutex(State())

    /// How often the watch looks. A hung worker is ended at the latest this long after its deadline.
    private static let interval: Duration = .seconds(1)

    /// The driver call in which the worker hung, once it was found hanging.
    var hungCall: String? { state.withLock(\.hungCall) }

    /// A frame came from the worker.
    func heard(_ pulse: WorkerPulse?) {
        state.withLock { state in
            state.lastFrame = .now
            state.hasSpoken = true
            guard let pulse,
                CallWatch.isHung(call: pulse.call, runningMs: pulse.runningMs, silentMs: pulse.silentMs)
            else { return }
            state.hungCall = state.hungCall ?? pulse.call
        }
    }

    /// Calls `end` once when the worker hangs; returns then, or when cancelled.
    func guardWorker(end: @Sendable () -> Void) async {
        while (try? await Task.sleep(for: Self.interval)) != nil {
            let isHung = state.withLock { state in
                let quiet = state.lastFrame.duration(to: .now) / .milliseconds(1)
                if state.hungCall == nil, CallWatch.isQuiet(Int(quiet), hasSpoken: state.hasSpoken) {
                    state.hungCall = "no sign of life"
                }
                return state.hungCall != nil
            }
            if isHung { return end() }
        }
    }
}
