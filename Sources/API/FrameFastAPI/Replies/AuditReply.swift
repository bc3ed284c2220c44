/// The result of `framefast doctor --audit`: the differences between the ledger, the files on disk and the
/// receipts of uploads.
public struct AuditReply: WireValue {
    /// The path of the ledger.
    public var ledger: String
    /// The number of photos that were compared with their files.
    public var photos: Int
    /// The size of these photos, in bytes.
    public var bytes: Int64
    /// The findings. The audit limits their number.
    public var findings: [Finding]
    /// The number of all findings, including those that the list omits.
    public var findingsTotal: Int

    /// Creates a reply.
    public init(ledger: String, photos: Int, bytes: Int64, findings: [Finding], findingsTotal: Int) {
        self.ledger = ledger
        self.photos = photos
        self.bytes = bytes
        self.findings = findings
        self.findingsTotal = findingsTotal
    }

    /// A difference.
    public struct Finding: WireValue {
        /// The kind of the difference.
        @Word public var kind: AuditFindingKind?
        /// The photo's ledger number, or `nil` for a part file without a record.
        @OrNull public var capture: CaptureID?
        /// The upload, or `nil` if the finding is about a file.
        @OrNull public var job: JobID?
        /// The path of the file, or `nil` if the finding is about an upload.
        @OrNull public var path: String?
        /// The difference, as a sentence.
        public var sentence: String
        /// The next step for a person, as a sentence.
        public var nextStep: String

        /// Creates a finding.
        public init(
            kind: AuditFindingKind, capture: CaptureID? = nil, job: JobID? = nil, path: String? = nil,
            sentence: String, nextStep: String
        ) {
            self._kind = Word(kind)
            self._capture = OrNull(wrappedValue: capture)
            self._job = OrNull(wrappedValue: job)
            self._path = OrNull(wrappedValue: path)
            self.sentence = sentence
            self.nextStep = nextStep
        }
    }
}

/// A line that `framefastd --audit` prints. All lines but the last show the progress. The last line has the
/// result or an error.
public struct AuditLine: WireValue {
    /// The progress, or `nil` in the last line.
    public var progress: Progress?
    /// The result, or `nil` before the end and after an error.
    public var result: AuditReply?
    /// The reason why the audit has no result, or `nil` in all other lines.
    public var error: ErrorReply.Detail?

    /// Creates a line.
    public init(progress: Progress? = nil, result: AuditReply? = nil, error: ErrorReply.Detail? = nil) {
        self.progress = progress
        self.result = result
        self.error = error
    }

    /// The progress of an audit.
    public struct Progress: WireValue {
        /// The number of compared photos.
        public var photos: Int
        /// The number of photos to compare.
        public var photosTotal: Int
        /// The size of the compared photos, in bytes.
        public var bytes: Int64
        /// The size of the photos to compare, in bytes.
        public var bytesTotal: Int64

        /// Creates a value.
        public init(photos: Int, photosTotal: Int, bytes: Int64, bytesTotal: Int64) {
            self.photos = photos
            self.photosTotal = photosTotal
            self.bytes = bytes
            self.bytesTotal = bytesTotal
        }
    }
}
