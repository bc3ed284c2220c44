import Synchronization

/// Hands changes on one at a time, in the order in which they were made, and holds no lock meanwhile: whoever is told may
/// ask, and change, what told it.
final class OrderedDelivery<Value: Sendable>: Sendable {
    private struct State {
        var waiting: [Value] = []
        var isDelivering = false
    }
    private let state = Mutex(State())
    private let take: @Sendable (Value) -> Void

    init(_ take: @escaping @Sendable (Value) -> Void) { self.take = take }

    /// Notes a change. To be called where the change is made, under the lock of what changes.
    func note(_ value: Value) { state.withLock { $0.waiting.append(value) } }

    /// Hands on what was noted; returns at once when somebody else does, who then hands this on, too.
    func deliver() {
        while true {
            let next = state.withLock { state -> Value? in
                guard !state.isDelivering, !state.waiting.isEmpty else { return nil }
                state.isDelivering = true
                return state.waiting.removeFirst()
            }
            guard let next else { return }
            take(next)
            state.withLock { $0.isDelivering = false }
        }
    }
}
