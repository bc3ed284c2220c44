/// A failed attempt to upload, as the job handles it.
public struct FailedAttempt: Hashable, Sendable {
    /// The kind of failure, which determines the job's reaction.
    public enum Kind: Hashable, Sendable {
        /// The destination is unreachable, or has a problem that is not specific to this upload. Has the wait
        /// in seconds if the destination asked for one.
        case outage(retryAfterSeconds: Double?)
        /// This transfer failed and may succeed later.
        case transient
        /// Every retry will fail until a person changes something. Has the code of the reason.
        case permanent(reason: String)
        /// The destination refuses the service regardless of the photo. The job waits with all others.
        case refused
        /// The photo's file cannot be read on this computer for now.
        case sourceAway
        /// The service stopped the transfer.
        case cancelled
    }

    /// The kind of failure.
    public var kind: Kind
    /// The failure, as a sentence for people.
    public var sentence: String
    /// The next step for people, or `nil` if waiting is enough.
    public var nextStep: String?

    /// Creates a failed attempt.
    public init(_ kind: Kind, _ sentence: String, nextStep: String? = nil) {
        self.kind = kind
        self.sentence = sentence
        self.nextStep = nextStep
    }
}
