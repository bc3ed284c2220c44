import Synchronization

/// The end of a camera's time with its supervisor. It happens once and can be waited for by many.
final class Departure: Sendable {
    /// Time for the worker of an unplugged camera to notice that and to say what stays in the camera.
    static let lastWords: Duration = .seconds(2)

    /// Why a camera goes.
    enum Reason: Hashable, Sendable {
        /// The cable was pulled: there is nothing left to talk to.
        case unplugged
        /// It is there and not wanted any more: it is let go in order, with its settings put back.
        case unwanted
    }

    private struct State {
        var reason: Reason?
        var nextID = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    }
    private let state = Mutex(State())

    /// Why it happened; `nil` while it has not.
    var reason: Reason? { state.withLock(\.reason) }

    /// It happens. A cable that is pulled counts also when the camera was not wanted before.
    func happen(_ reason: Reason) {
        let waiters = state.withLock { state in
            if state.reason != .unplugged { state.reason = reason }
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
                    if state.reason != nil || Task.isCancelled { return true }
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
