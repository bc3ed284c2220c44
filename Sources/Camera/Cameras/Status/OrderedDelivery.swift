import Synchronization

/// A queue that delivers changes one at a time, in the order in which they were made, without holding a lock.
/// The receiver may therefore read and change the object that reports the changes.
final class OrderedDelivery<Value: Sendable>: Sendable {
    private struct State {
        var waiting: [Value] = []
        var isDelivering = false
    }
    private let state = Mutex(State())
    private let receive: @Sendable (Value) -> Void

    init(_ receive: @escaping @Sendable (Value) -> Void) { self.receive = receive }

    /// Enqueues a change. Call this while holding the lock that protects the changed state.
    func enqueue(_ value: Value) { state.withLock { $0.waiting.append(value) } }

    /// Delivers the queued changes. Returns immediately if another thread is delivering, because that thread
    /// also delivers these changes.
    func deliver() {
        while true {
            let next = state.withLock { state -> Value? in
                guard !state.isDelivering, !state.waiting.isEmpty else { return nil }
                state.isDelivering = true
                return state.waiting.removeFirst()
            }
            guard let next else { return }
            receive(next)
            state.withLock { $0.isDelivering = false }
        }
    }
}
