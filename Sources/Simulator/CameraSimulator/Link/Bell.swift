import PlainThreads

/// Lets threads wait until something about the simulator has changed.
final class Bell: Sendable {
    private let monitor = Monitor()

    /// Wakes everybody who waits, to look again.
    func ring() { monitor.change {} }

    /// Waits until `isDone` holds or the time is up.
    ///
    /// - Returns: whether it holds.
    @discardableResult
    func wait(seconds: Double? = nil, until isDone: () -> Bool) -> Bool {
        monitor.wait(seconds: seconds ?? Monitor.longestSeconds) { isDone() ? true : nil } ?? false
    }
}
