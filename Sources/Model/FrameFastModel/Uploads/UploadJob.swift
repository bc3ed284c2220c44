public import FoundationEssentials

/// One photo on its way to one destination, from the day it was saved to the day it was verified there.
///
/// What happens to it is decided in ``handle(_:)``.
public struct UploadJob: Hashable, Sendable, Identifiable {
    /// How far it has come.
    public enum State: String, Codable, Hashable, Sendable, CaseIterable {
        /// Held back; ``UploadJob/hold`` says why.
        case held
        /// May start.
        case queued
        /// On its way.
        case uploading
        /// All bytes are there; the copy is being verified. Never stored: after a restart it starts again.
        case verifying
        /// There, and verified.
        case delivered
        /// Tried without success; starts again at ``UploadJob/nextAttemptAt``.
        case retrying
        /// Permanent until a person changes something.
        case failed
    }

    /// What is known of the verified copy.
    public struct Delivery: Codable, Hashable, Sendable {
        /// The name under which it is there.
        public var remoteName: String
        /// How the copy was verified: `checksum`, `size` or `word`.
        public var proof: String
        /// What was compared.
        public var evidence: String
        /// Whether it was there already, so that nothing was sent.
        public var wasThere: Bool

        /// Creates the record of a delivery.
        public init(remoteName: String, proof: String, evidence: String, wasThere: Bool) {
            self.remoteName = remoteName
            self.proof = proof
            self.evidence = evidence
            self.wasThere = wasThere
        }
    }

    /// ``reason`` of a job that waits for its photo's file to be reachable on this computer again.
    public static let sourceAwayReason = "source-away"

    /// Number in the store.
    public var id: JobID
    /// The photo's number in the ledger.
    public var captureID: CaptureID
    /// The destination's name.
    public var destination: DestinationName
    /// How far it has come.
    public var state: State
    /// Why it is held, or will be if the try that runs now fails; else `nil`.
    public var hold: UploadHold?
    /// Whether a person released or added it: then no mode holds it again.
    public var isReleased = false
    /// Higher goes first; within a priority the destination's order counts.
    public var priority: Int
    /// The wanted name at the destination.
    public var remoteName: String
    /// The photo's session.
    public var sessionID: SessionID?
    /// The photo's camera.
    public var bodyID: BodyID
    /// Bytes of the file.
    public var bytes: UInt64
    /// Bytes that are there so far; known while it runs only.
    public var sentBytes: UInt64 = 0
    /// Tries that failed by a fault of this transfer or of this photo. Outages and refusals of the destination do not
    /// count.
    public var attempts = 0
    /// Tries in a row without success, outages as well: how long the next wait is.
    public var failuresInARow = 0
    /// When it starts again; set while it is `retrying`.
    public var nextAttemptAt: Date?
    /// Where the next try goes on, in the destination's words.
    public var resumePoint: String?
    /// Code of the last trouble: `outage`, `transient`, ``sourceAwayReason``, or the reason why it is permanent.
    public var reason: String?
    /// The last trouble, for people.
    public var sentence: String?
    /// What a person can do about it.
    public var nextStep: String?
    /// When it was entered.
    public var createdAt: Date
    /// When it was last started.
    public var claimedAt: Date?
    /// When it was verified at the destination.
    public var deliveredAt: Date?
    /// What is known of the copy there.
    public var delivery: Delivery?

    /// Creates a job that was just entered.
    public init(
        id: JobID, captureID: CaptureID, destination: DestinationName, state: State = .queued,
        hold: UploadHold? = nil,
        priority: Int = 0, remoteName: String, sessionID: SessionID?, bodyID: BodyID,
        bytes: UInt64, createdAt: Date
    ) {
        self.id = id
        self.captureID = captureID
        self.destination = destination
        self.state = state
        self.hold = hold
        self.priority = priority
        self.remoteName = remoteName
        self.sessionID = sessionID
        self.bodyID = bodyID
        self.bytes = bytes
        self.createdAt = createdAt
    }
}
