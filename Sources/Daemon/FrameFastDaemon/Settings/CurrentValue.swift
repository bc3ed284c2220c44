import Synchronization

/// A value that is replaced while others read it, for example the configuration in force.
final class CurrentValue<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    /// The value as it is now.
    var now: Value { value.withLock { $0 } }

    /// Another one holds from now on.
    func replace(with new: Value) { value.withLock { $0 = new } }
}
