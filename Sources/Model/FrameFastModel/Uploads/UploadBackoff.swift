/// The wait between a failed upload attempt and its retry.
public enum UploadBackoff {
    /// The wait if the destination does not request one. A random factor from 0.5 to 1 prevents many jobs and
    /// many computers from retrying at the same time.
    public static let afterFailure = Backoff(first: .seconds(2), maximum: .seconds(120), spread: 0.5...1)
    /// The longest wait that a destination can request, in seconds.
    public static let retryAfterMaxSeconds = 3600.0
    /// The wait if the photo's file on this computer is not readable, in seconds. Uploads resume within this
    /// time after the disk is mounted again.
    public static let sourceSeconds = 15.0

    /// Returns the wait, in seconds.
    ///
    /// - Parameters:
    ///   - failuresInARow: The number of consecutive failures, from 1.
    ///   - retryAfterSeconds: The wait that the destination requested, or `nil` if it requested none.
    ///   - jitter: A random number, 0..<1.
    public static func seconds(failuresInARow: Int, retryAfterSeconds: Double? = nil, jitter: Double)
        -> Double
    {
        if let requested = boundedRetryAfter(retryAfterSeconds) { return requested + jitter }
        return afterFailure.wait(after: failuresInARow, chance: jitter) / .seconds(1)
    }

    /// Returns the wait that a destination requested, limited to ``retryAfterMaxSeconds``. Returns `nil` if
    /// the value is not a valid wait.
    public static func boundedRetryAfter(_ retryAfterSeconds: Double?) -> Double? {
        guard let retryAfterSeconds, retryAfterSeconds.isFinite, retryAfterSeconds >= 0 else { return nil }
        return min(retryAfterSeconds, retryAfterMaxSeconds)
    }
}
