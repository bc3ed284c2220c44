public import FoundationEssentials

/// One thing that happened to a capture: the ledger writes it down with the change itself, so that neither is without the other.
public struct HistoryStep: Hashable, Sendable, Identifiable {
    /// What happened.
    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// The camera told of it, or its card was read.
        case seen
        /// It was given fields when it was heard of. ``HistoryStep/by`` is who had set them.
        case fields
        /// It could not be read; it is tried again.
        case readFailed = "read_failed"
        /// It was given up until a person decides.
        case setAside = "set_aside"
        /// It is to be read once more: a person said so, or its bytes were lost before it had its name.
        case readAgain = "read_again"
        /// It is durable under its name. ``HistoryStep/outcome`` is the ``CaptureVerification``.
        case saved
        /// Its bytes are those of a capture that is there already.
        case duplicate
        /// The second reading is over. ``HistoryStep/outcome`` is the ``CaptureVerification``.
        case verified
        /// A try to upload it ended. ``HistoryStep/outcome`` is the ``UploadJob/State`` that followed, or
        /// ``HistoryStep/refused``; `queued` or `held` mean that the try was cut off, by a stop of the service or by a
        /// person.
        case upload
        /// An upload is kept back. ``HistoryStep/outcome`` is the ``UploadHold``.
        case held
        /// An upload that was kept back may go.
        case released
        /// An upload is tried again because a person said so.
        case retried
        /// An upload goes before all others.
        case putFirst = "put_first"
        /// An upload is not wanted any more.
        case dropped
        /// Somebody rated it. ``HistoryStep/outcome`` has the stars, `picked`, `rejected`, or nothing when the
        /// rating was taken back.
        case rated
        /// The camera deleted it.
        case deletedOnCamera = "deleted_on_camera"
        /// Its file was removed here, because it is delivered everywhere.
        case cleared
    }

    /// ``outcome`` of a try that the destination refused, as it refuses all at that time.
    public static let refused = "refused"

    /// Number in the history.
    public var id: HistoryStepID
    /// The capture.
    public var captureID: CaptureID
    /// When.
    public var at: Date
    /// What happened.
    public var kind: Kind
    /// The upload's destination; `nil` where it is not about an upload.
    public var destination: DestinationName?
    /// How long it took: reading it from the camera, or the try to upload it. Seconds.
    public var seconds: Double?
    /// Bytes that were read or delivered.
    public var bytes: UInt64?
    /// The state or word that followed, as ``Kind`` says.
    public var outcome: String?
    /// How a delivery was verified, or why it did not work: for people.
    public var detail: String?
    /// Who asked for it; `nil` for the service itself.
    public var by: Asker?

    /// Bytes a second; `nil` where it says nothing.
    public var bytesPerSecond: Double? {
        guard let bytes, let seconds, seconds > 0 else { return nil }
        return Double(bytes) / seconds
    }

    /// Creates a step.
    public init(
        id: HistoryStepID, captureID: CaptureID, at: Date, kind: Kind, destination: DestinationName? = nil,
        seconds: Double? = nil, bytes: UInt64? = nil, outcome: String? = nil, detail: String? = nil,
        by: Asker? = nil
    ) {
        self.id = id
        self.captureID = captureID
        self.at = at
        self.kind = kind
        self.destination = destination
        self.seconds = seconds
        self.bytes = bytes
        self.outcome = outcome
        self.detail = detail
        self.by = by
    }
}
