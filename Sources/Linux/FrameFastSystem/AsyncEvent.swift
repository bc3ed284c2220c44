import Synchronization

/// An event that wakes one waiting task. If no task waits, the next task that waits wakes immediately.
public final class AsyncEvent: Sendable {
    private enum State {
        case silent
        case rung
        case waiting(CheckedContinuation<Void, Never>)
    }

    private let state = Mutex(State.silent)

    /// Creates an event that has not rung.
    public init() {}

    /// Wakes the waiting task, or the next task that waits.
    public func ring() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if case .waiting(let continuation) = state {
                state = .silent
                return continuation
            }
            state = .rung
            return nil
        }
        waiter?.resume()
    }

    /// Waits for a ring or for the task's cancellation. Only one task may wait at a time.
    public func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasRung = state.withLock { state in
                    if case .rung = state {
                        state = .silent
                        return true
                    }
                    if Task.isCancelled { return true }
                    state = .waiting(continuation)
                    return false
                }
                if hasRung { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
                guard case .waiting(let continuation) = state else { return nil }
                state = .silent
                return continuation
            }
            waiter?.resume()
        }
    }
}
