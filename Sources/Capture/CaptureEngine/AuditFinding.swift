public import FrameFastModel

/// A difference between the ledger, the files on disk and the receipts of uploads.
public struct AuditFinding: Hashable, Sendable {
    /// The kind of the difference.
    public var kind: AuditFindingKind
    /// The photo's ledger number, or `nil` for a part file without a record.
    public var capture: CaptureID?
    /// The upload, or `nil` if the finding is about a file.
    public var job: JobID?
    /// The path of the file, or `nil` if the finding is about an upload.
    public var path: String?
    /// The difference, as a sentence.
    public var sentence: String
    /// The next step for a person, as a sentence.
    public var nextStep: String

    /// - Parameter nextStep: The next step, or `nil` for the usual next step of the kind.
    init(
        _ kind: AuditFindingKind, _ sentence: String, capture: CaptureID? = nil, job: JobID? = nil,
        path: String? = nil, nextStep: String? = nil
    ) {
        self.kind = kind
        self.sentence = sentence
        self.capture = capture
        self.job = job
        self.path = path
        self.nextStep = nextStep ?? Self.usualStep(kind)
    }

    private static func usualStep(_ kind: AuditFindingKind) -> String {
        switch kind {
        case .fileMissing:
            "If you moved or deleted the file, no action is needed. If its disk is not mounted, mount it."
        case .fileUnreadable: "Run the audit as root. If it still cannot read the file, check the disk."
        case .sizeDiffers, .bytesDiffer:
            "If you edited the photo, no action is needed. Otherwise restore it from the card, a destination or a backup, and check the disk."
        case .leftPublishing: "Restart the service: it completes the photo or fetches it again."
        case .partLeftOver: "Restart the service: it removes old part files."
        case .receiptMissing: "Check that the destination has the photo."
        case .pathShared, .receiptWithoutPhoto, .jobWithoutPhoto:
            "Report the problem with 'framefast doctor --bundle report.tar.gz'."
        }
    }
}
