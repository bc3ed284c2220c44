/// The wait of an upload after a failed attempt.
public enum UploadBackoff {
    /// The wait if the destination does not ask for one. The spread over the second half keeps many jobs and
    /// many stations from retrying at the same moment.
    public static let afterFailure = Backoff(first: .seconds(2), maximum: .seconds(120), spread: 0.5...1)
    /// The longest wait that a destination may ask for, in seconds.
    public static let retryAfterMaxSeconds = 3600.0
    /// The wait if the photo's file cannot be reached on this computer, in seconds. A check is cheap, and the
    /// worker notices a remounted disk within this time.
    public static let sourceSeconds = 15.0

    /// Returns the wait, in seconds.
    ///
    /// - Parameters:
    ///   - failuresInARow: The number of consecutive failures, from 1.
    ///   - retryAfterSeconds: The wait that the destination asked for, or `nil` without one.
    ///   - jitter: A random number, 0..<1.
    public static func seconds(failuresInARow: Int, retryAfterSeconds: Double? = nil, jitter: Double)
        -> Double
    {
        if let asked = boundedRetryAfter(retryAfterSeconds) { return asked + jitter }
        return afterFailure.wait(after: failuresInARow, chance: jitter) / .seconds(1)
    }

    /// Returns the wait that a destination asked for, at most ``retryAfterMaxSeconds``, or `nil` if the value
    /// is not a valid wait.
    public static func boundedRetryAfter(_ retryAfterSeconds: Double?) -> Double? {
        guard let retryAfterSeconds, retryAfterSeconds.isFinite, retryAfterSeconds >= 0 else { return nil }
        return min(retryAfterSeconds, retryAfterMaxSeconds)
    }
}
