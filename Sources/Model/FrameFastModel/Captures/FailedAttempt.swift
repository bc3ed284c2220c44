/// A failed upload attempt.
public struct FailedAttempt: Hashable, Sendable {
    /// The kind of failure. It determines the next state of the job.
    public enum Kind: Hashable, Sendable {
        /// The destination is unreachable, or has a problem that is not specific to this upload. The
        /// associated value is the wait that the destination requested, in seconds.
        case outage(retryAfterSeconds: Double?)
        /// This transfer failed and may succeed later.
        case transient
        /// Every retry will fail until a person changes something. The associated value is the code of the
        /// reason.
        case permanent(reason: String)
        /// The destination refuses all uploads of the service. The job returns to the queue.
        case refused
        /// The photo's file on this computer is temporarily unreadable.
        case sourceAway
        /// The service stopped the transfer.
        case cancelled
    }

    /// The kind of failure.
    public var kind: Kind
    /// The failure, as a complete sentence.
    public var sentence: String
    /// The next step for people, or `nil` if a person need not act.
    public var nextStep: String?

    /// Creates a failed attempt.
    public init(_ kind: Kind, _ sentence: String, nextStep: String? = nil) {
        self.kind = kind
        self.sentence = sentence
        self.nextStep = nextStep
    }
}
