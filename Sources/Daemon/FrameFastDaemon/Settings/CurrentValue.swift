import Synchronization

/// A value that is replaced while other tasks read it, for example the current configuration.
final class CurrentValue<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    /// The current value.
    var now: Value { value.withLock { $0 } }

    /// Replaces the value.
    func replace(with new: Value) { value.withLock { $0 = new } }
}
