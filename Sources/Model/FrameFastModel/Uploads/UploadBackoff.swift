/// How long an upload waits after a try that failed.
public enum UploadBackoff {
    /// What is waited when the destination does not say. Spread over the second half, so that many jobs and many stations
    /// do not come back at the same moment.
    public static let afterFailure = Backoff(first: .seconds(2), maximum: .seconds(120), spread: 0.5...1)
    /// Longest wait that a destination may ask for, in seconds.
    public static let retryAfterMaxSeconds = 3600.0
    /// Wait for a photo whose file cannot be reached on this computer, in seconds: looking costs next to nothing, and
    /// a disk that is mounted again is noticed within this time.
    public static let sourceSeconds = 15.0

    /// Seconds to wait.
    ///
    /// - Parameters:
    ///   - failuresInARow: Failures in a row, from 1.
    ///   - retryAfterSeconds: What the destination asked for; `nil` when it did not.
    ///   - jitter: Random, 0..<1.
    public static func seconds(failuresInARow: Int, retryAfterSeconds: Double? = nil, jitter: Double)
        -> Double
    {
        if let asked = asked(retryAfterSeconds) { return asked + jitter }
        return afterFailure.wait(after: failuresInARow, chance: jitter) / .seconds(1)
    }

    /// What a destination asked for, within reason; `nil` when that is no time to wait.
    public static func asked(_ retryAfterSeconds: Double?) -> Double? {
        guard let retryAfterSeconds, retryAfterSeconds.isFinite, retryAfterSeconds >= 0 else { return nil }
        return min(retryAfterSeconds, retryAfterMaxSeconds)
    }
}
