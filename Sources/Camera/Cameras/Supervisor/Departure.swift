import Synchronization

/// A one-shot event that ends the supervision of a camera. Several tasks can wait for it.
final class Departure: Sendable {
    /// The time limit for the worker of an unplugged camera to report the photos left in the camera.
    static let finalReportTime: Duration = .seconds(2)

    /// The reason why the supervision ends.
    enum Reason: Hashable, Sendable {
        /// The camera was unplugged: nothing can be sent to it.
        case unplugged
        /// The camera is connected and no longer wanted. The worker restores its settings before it
        /// disconnects.
        case unwanted
    }

    private struct State {
        var reason: Reason?
        var nextID = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    }
    private let state = Mutex(State())

    /// The reason, or `nil` before the event.
    var reason: Reason? { state.withLock(\.reason) }

    /// Triggers the event. `unplugged` replaces an earlier `unwanted`.
    func trigger(_ reason: Reason) {
        let waiters = state.withLock { state in
            if state.reason != .unplugged { state.reason = reason }
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits for the event, or until the task is cancelled.
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
