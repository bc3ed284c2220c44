/// A backoff policy: the wait between two attempts, which grows up to a maximum. A value without a clock.
public struct Backoff: Hashable, Sendable {
    /// The wait after the first failure.
    public let first: Duration
    /// The factor between two consecutive waits; above 1.
    public let factor: Double
    /// The longest wait. A peer that recovers is noticed within this time.
    public let maximum: Duration
    /// The fractions of a wait among which a random number chooses, so that clients that failed together do
    /// not retry together.
    public let spread: ClosedRange<Double>

    /// Creates a backoff.
    public init(
        first: Duration, factor: Double = 2, maximum: Duration, spread: ClosedRange<Double> = 1...1
    ) {
        precondition(factor > 1 && first > .zero, "waits that do not grow never reach their bound")
        self.first = first
        self.factor = factor
        self.maximum = maximum
        self.spread = spread
    }

    /// Returns the wait after a number of consecutive failures.
    ///
    /// - Parameters:
    ///   - failures: The number of failures. A value below 1 counts as 1.
    ///   - chance: A random number, 0..<1, that chooses the place in ``spread``.
    public func wait(after failures: Int, chance: Double = 0) -> Duration {
        var (wait, steps) = (first, 1)
        while steps < failures, wait < maximum {
            wait = wait * factor
            steps += 1
        }
        return min(wait, maximum) * (spread.lowerBound + chance * (spread.upperBound - spread.lowerBound))
    }
}
