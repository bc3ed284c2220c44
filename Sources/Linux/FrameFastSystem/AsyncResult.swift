import Synchronization

/// A value that is set once, and that any number of tasks can wait for.
public final class AsyncResult<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var lastID: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Value?, Never>] = [:]

        mutating func makeID() -> UInt64 {
            lastID += 1
            return lastID
        }
    }

    private let state = Mutex(State())

    /// Creates a result without a value.
    public init() {}

    /// The value, or `nil` before it is set.
    public var value: Value? { state.withLock { $0.value } }

    /// Sets the value and wakes all waiting tasks. Does nothing if the value is already set.
    ///
    /// - Returns: Whether this call set the value.
    @discardableResult
    public func set(_ value: Value) -> Bool {
        let waiters = state.withLock { state -> [CheckedContinuation<Value?, Never>]? in
            guard state.value == nil else { return nil }
            state.value = value
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        guard let waiters else { return false }
        for waiter in waiters { waiter.resume(returning: value) }
        return true
    }

    /// Waits for the value, even if the task is cancelled.
    public func wait(isolation: isolated (any Actor)? = #isolation) async -> Value {
        // `suspend` returns `nil` only for cancellable waits. This loop therefore runs once.
        while true {
            if let value = await suspend(isCancellable: false, id: state.withLock { $0.makeID() }) {
                return value
            }
        }
    }

    /// Waits for the value, or until the task is cancelled.
    ///
    /// - Returns: The value, or `nil` if the task was cancelled before the value was set.
    public func waitUnlessCancelled() async -> Value? {
        let id = state.withLock { $0.makeID() }
        return await withTaskCancellationHandler {
            await suspend(isCancellable: true, id: id)
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: nil)
        }
    }

    private func suspend(
        isCancellable: Bool, id: UInt64, isolation: isolated (any Actor)? = #isolation
    ) async -> Value? {
        await withCheckedContinuation { continuation in
            let (isOver, value) = state.withLock { state -> (Bool, Value?) in
                if let value = state.value { return (true, value) }
                if isCancellable && Task.isCancelled { return (true, nil) }
                state.waiters[id] = continuation
                return (false, nil)
            }
            if isOver { continuation.resume(returning: value) }
        }
    }
}
