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
