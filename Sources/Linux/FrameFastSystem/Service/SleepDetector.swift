/// A detector of the computer's sleep. The caller passes the time, so tests need no clock.
public struct SleepDetector: Hashable, Sendable {
    /// The shortest sleep to report, in seconds. Connections survive a shorter sleep.
    public static let leastSeconds = 5.0

    private var sleptSeconds: Double

    /// Creates a detector.
    ///
    /// - Parameter sleptSeconds: The current value of ``HostClock/slept``.
    public init(sleptSeconds: Double) { self.sleptSeconds = sleptSeconds }

    /// Measures how long the computer has slept since the last call.
    ///
    /// - Parameter sleptSeconds: The current value of ``HostClock/slept``.
    /// - Returns: The duration of the sleep, in seconds, or `nil` if it is shorter than ``leastSeconds``.
    public mutating func measureSleep(upTo sleptSeconds: Double) -> Double? {
        let seconds = sleptSeconds - self.sleptSeconds
        self.sleptSeconds = sleptSeconds
        return seconds >= Self.leastSeconds ? seconds : nil
    }
}
