/// Why a try to upload did not succeed, as far as the job's life goes.
public struct FailedAttempt: Hashable, Sendable {
    /// What the job does about it.
    public enum Kind: Hashable, Sendable {
        /// The destination is away or has trouble of its own. Seconds when it said when to come back.
        case outage(retryAfterSeconds: Double?)
        /// This transfer went wrong.
        case transient
        /// No try will be different until a person changes something; the code of the reason.
        case permanent(reason: String)
        /// The destination refuses us, whatever the photo is: the job is not to blame, and waits with all others.
        case refused
        /// The photo's file cannot be reached on this computer for now.
        case sourceAway
        /// We stopped it.
        case cancelled
    }

    /// What the job does about it.
    public var kind: Kind
    /// What happened, as a sentence for people.
    public var sentence: String
    /// What a person can do; `nil` when nothing but waiting.
    public var nextStep: String?

    /// Creates a failedAttempt.
    public init(_ kind: Kind, _ sentence: String, nextStep: String? = nil) {
        self.kind = kind
        self.sentence = sentence
        self.nextStep = nextStep
    }
}

/// How long to wait after a try that failed.
public enum UploadBackoff {
    /// Wait after the first failure, in seconds; doubles with each further one.
    public static let firstSeconds = 2.0
    /// Longest wait of our own, in seconds: what comes back is noticed within this time.
    public static let longestSeconds = 120.0
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
    ///   - jitter: Random, 0..<1: spreads the tries over the second half of the wait, so that many jobs and many
    ///     stations do not come back at the same moment.
    public static func seconds(failuresInARow: Int, retryAfterSeconds: Double? = nil, jitter: Double)
        -> Double
    {
        if let retryAfterSeconds, retryAfterSeconds.isFinite, retryAfterSeconds >= 0 {
            return min(retryAfterSeconds, retryAfterMaxSeconds) + jitter
        }
        let doublings = min(max(failuresInARow - 1, 0), 10)
        let wait = min(firstSeconds * Double(1 << doublings), longestSeconds)
        return wait * (0.5 + jitter / 2)
    }
}
