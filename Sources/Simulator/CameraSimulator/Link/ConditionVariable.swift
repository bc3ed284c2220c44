import SystemIO

/// A condition variable for threads that wait for a change of the simulator's state.
final class ConditionVariable: Sendable {
    private let monitor = Monitor()

    /// Wakes all waiting threads so that they test their condition again.
    func broadcast() { monitor.withLockAndNotify {} }

    /// Waits until `isDone` returns `true` or the time is up.
    ///
    /// - Returns: Whether `isDone` returned `true`.
    @discardableResult
    func wait(seconds: Double? = nil, until isDone: () -> Bool) -> Bool {
        monitor.wait(seconds: seconds ?? Monitor.longestSeconds) { isDone() ? true : nil } ?? false
    }
}
