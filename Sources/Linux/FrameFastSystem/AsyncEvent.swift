import Synchronization

/// An event that wakes one waiting task. If the event is signaled while no task waits, the next call to
/// ``wait()`` returns immediately.
public final class AsyncEvent: Sendable {
    private enum State {
        case silent
        case signaled
        case waiting(CheckedContinuation<Void, Never>)
    }

    private let state = Mutex(State.silent)

    /// Creates an event that was not signaled.
    public init() {}

    /// Wakes the waiting task. If no task waits, the next call to ``wait()`` returns immediately.
    public func signal() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if case .waiting(let continuation) = state {
                state = .silent
                return continuation
            }
            state = .signaled
            return nil
        }
        waiter?.resume()
    }

    /// Waits for a signal or for the task's cancellation. Only one task may wait at a time.
    public func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let wasSignaled = state.withLock { state in
                    if case .signaled = state {
                        state = .silent
                        return true
                    }
                    if Task.isCancelled { return true }
                    state = .waiting(continuation)
                    return false
                }
                if wasSignaled { continuation.resume() }
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
