/// A detector of the computer's sleep. A value without a clock.
public struct SleepMeter: Hashable, Sendable {
    /// The shortest sleep that is reported, in seconds. Connections outlive a shorter one.
    public static let leastSeconds = 5.0

    private var sleptSeconds: Double

    /// - Parameter sleptSeconds: ``BootTime/sleptSeconds`` at this time.
    public init(sleptSeconds: Double = BootTime.sleptSeconds) { self.sleptSeconds = sleptSeconds }

    /// Measures how long the computer slept since the last call.
    ///
    /// - Parameter sleptSeconds: ``BootTime/sleptSeconds`` at this time.
    /// - Returns: The length of the sleep, in seconds, or `nil` if it was shorter than
    ///   ``leastSeconds``.
    public mutating func measureSleep(upTo sleptSeconds: Double = BootTime.sleptSeconds) -> Double? {
        let seconds = sleptSeconds - self.sleptSeconds
        self.sleptSeconds = sleptSeconds
        return seconds >= Self.leastSeconds ? seconds : nil
    }
}
