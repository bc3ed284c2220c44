public import FoundationEssentials

/// The upload of one capture to one destination.
///
/// ``handle(_:)`` is its state machine.
public struct UploadJob: Hashable, Sendable, Identifiable {
    /// The progress of a job.
    public typealias State = UploadState

    /// The record of a verified copy.
    public struct Delivery: Codable, Hashable, Sendable {
        /// The name at the destination.
        public var remoteName: String
        /// The method of verification: `checksum`, `size`, or `word` (only the destination's success
        /// response).
        public var proof: String
        /// The compared values.
        public var evidence: String
        /// Whether the destination already had the file, so the worker did not send it.
        public var alreadyExisted: Bool

        private enum CodingKeys: String, CodingKey {
            case remoteName, proof, evidence
            case alreadyExisted = "wasThere"
        }

        /// Creates the record of a delivery.
        public init(remoteName: String, proof: String, evidence: String, alreadyExisted: Bool) {
            self.remoteName = remoteName
            self.proof = proof
            self.evidence = evidence
            self.alreadyExisted = alreadyExisted
        }
    }

    /// The ``reason`` of a job whose file on this computer is not readable.
    public static let sourceAwayReason = "source-away"
    /// The priority of a photo that a person moved to the front of the queue.
    public static let firstPriority = 1

    /// The number in the ledger.
    public var id: JobID
    /// The photo's number in the ledger.
    public var captureID: CaptureID
    /// The destination's name.
    public var destination: DestinationName
    /// The progress of the job.
    public var state: State
    /// The reason for the hold; `nil` without a hold. A running job is held for this reason if its attempt
    /// fails.
    public var hold: UploadHold?
    /// Whether a person released or added the job. Modes do not hold such a job.
    public var isReleased = false
    /// The priority. Jobs with a higher priority start first. The destination's order applies to jobs with
    /// equal priority.
    public var priority: Int
    /// The requested name at the destination.
    public var remoteName: String
    /// The photo's session.
    public var sessionID: SessionID?
    /// The photo's camera.
    public var bodyID: BodyID
    /// The size of the file, in bytes.
    public var bytes: UInt64
    /// The number of bytes sent in the current attempt. Not stored.
    public var sentBytes: UInt64 = 0
    /// The number of attempts with a transient or permanent failure. Outages and refusals do not count.
    public var attempts = 0
    /// The number of consecutive failures, including outages. The number determines the wait before the next
    /// attempt.
    public var failuresInARow = 0
    /// The time of the next attempt, or `nil` if the job is not `retrying`.
    public var nextAttemptAt: Date?
    /// The position from which the next attempt resumes, in the destination's format; `nil` to start from the
    /// beginning.
    public var resumePoint: String?
    /// The code of the last failure: `outage`, `transient`, ``sourceAwayReason``, or the code of a permanent
    /// failure.
    public var reason: String?
    /// The last failure, as a sentence for people.
    public var sentence: String?
    /// The next step for people.
    public var nextStep: String?
    /// The time at which the job was added.
    public var createdAt: Date
    /// The time at which the last attempt started.
    public var claimedAt: Date?
    /// The time at which the copy was verified.
    public var deliveredAt: Date?
    /// The record of the verified copy, or `nil` before delivery.
    public var delivery: Delivery?

    /// Creates a new job.
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
