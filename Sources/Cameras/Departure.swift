import Synchronization

/// Something that happens once and can be waited for by many: a camera is unplugged, or no longer wanted.
final class Departure: Sendable {
    private struct State {
        var hasHappened = false
        var nextID = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    }
    private let state = Mutex(State())

    /// Whether it has happened.
    var hasHappened: Bool { state.withLock(\.hasHappened) }

    /// It happens. Later calls change nothing.
    func happen() {
        let waiters = state.withLock { state in
            state.hasHappened = true
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when it has happened, or when the task is cancelled.
    func wait() async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.hasHappened || Task.isCancelled { return true }
                    state.waiters[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }
}
