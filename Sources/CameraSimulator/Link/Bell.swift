import Foundation

/// Lets threads wait until something about the simulator has changed.
final class Bell: Sendable {
    private let condition = NSCondition()

    /// Wakes everybody who waits, to look again.
    func ring() {
        condition.lock()
        condition.broadcast()
        condition.unlock()
    }

    /// Waits until `isDone` holds or the time is up.
    ///
    /// - Returns: whether it holds.
    @discardableResult
    func wait(seconds: Double? = nil, until isDone: () -> Bool) -> Bool {
        let deadline = seconds.map { Date(timeIntervalSinceNow: $0) }
        condition.lock()
        defer { condition.unlock() }
        while !isDone() {
            if let deadline {
                guard condition.wait(until: deadline) else { return isDone() }
            } else {
                condition.wait()
            }
        }
        return true
    }
}
