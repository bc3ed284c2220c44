/// How long to wait between one try and the next: longer each time, up to a bound. A value; whoever waits has the clock.
public struct Backoff: Hashable, Sendable {
    /// The wait after the first failure.
    public let first: Duration
    /// By how much each wait is longer than the one before; above 1.
    public let factor: Double
    /// The longest wait: what comes back is noticed within this time.
    public let maximum: Duration
    /// Parts of a wait that chance picks from, so that those who failed together do not come back together.
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

    /// The wait after so many failures in a row.
    ///
    /// - Parameters:
    ///   - failures: From 1; less counts as 1.
    ///   - chance: Random, 0..<1: where in ``spread`` the wait lies.
    public func wait(after failures: Int, chance: Double = 0) -> Duration {
        var (wait, steps) = (first, 1)
        while steps < failures, wait < maximum {
            wait = wait * factor
            steps += 1
        }
        return min(wait, maximum) * (spread.lowerBound + chance * (spread.upperBound - spread.lowerBound))
    }
}
