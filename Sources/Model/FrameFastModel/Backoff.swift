/// A backoff policy. The wait between two attempts grows up to a maximum.
public struct Backoff: Hashable, Sendable {
    /// The wait after the first failure.
    public let first: Duration
    /// The factor between two consecutive waits; above 1.
    public let factor: Double
    /// The longest wait, before the random factor. The value limits how late an attempt starts after a peer
    /// recovers.
    public let maximum: Duration
    /// The range of the random factor that multiplies each wait. The factor makes clients that failed at the
    /// same time retry at different times.
    public let spread: ClosedRange<Double>

    /// Creates a backoff.
    public init(
        first: Duration, factor: Double = 2, maximum: Duration, spread: ClosedRange<Double> = 1...1
    ) {
        precondition(
            factor > 1 && first > .zero, "the factor must exceed 1, and the first wait must exceed 0")
        self.first = first
        self.factor = factor
        self.maximum = maximum
        self.spread = spread
    }

    /// Returns the wait after a number of consecutive failures.
    ///
    /// - Parameters:
    ///   - failures: The number of failures. A value below 1 is treated as 1.
    ///   - chance: A random number, 0..<1, that selects the factor from ``spread``.
    public func wait(after failures: Int, chance: Double = 0) -> Duration {
        var (wait, steps) = (first, 1)
        while steps < failures, wait < maximum {
            wait = wait * factor
            steps += 1
        }
        return min(wait, maximum) * (spread.lowerBound + chance * (spread.upperBound - spread.lowerBound))
    }
}
