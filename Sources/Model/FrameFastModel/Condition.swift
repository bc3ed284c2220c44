public import FoundationEssentials

/// Something that a person should know about, with what to do next.
public struct Condition: Codable, Hashable, Sendable {
    /// How bad it is.
    public enum Severity: String, Codable, Hashable, Sendable, Comparable {
        case info, warning, danger

        /// Orders by how bad it is.
        public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
        private var rank: Int { [.info: 0, .warning: 1, .danger: 2][self] ?? 0 }
    }

    /// Machine-readable code, for example `disk-full`. Stable.
    public var code: String
    /// How bad it is.
    public var severity: Severity
    /// When it began.
    public var since: Date
    /// What it is about: a camera's id, a path; `nil` for the whole service.
    public var subject: String?
    /// One sentence for people.
    public var sentence: String
    /// What to do, for people.
    public var nextStep: String

    /// Creates a condition.
    public init(
        code: String, severity: Severity, since: Date, subject: String? = nil, sentence: String,
        nextStep: String
    ) {
        self.code = code
        self.severity = severity
        self.since = since
        self.subject = subject
        self.sentence = sentence
        self.nextStep = nextStep
    }
}

extension Condition {
    /// Photos were in a camera's memory when its connection broke, and went to its card.
    public static let photosLeftInCamera = "photos-left-in-camera"
    /// Two readings of one photo differed: a camera's link changes bytes.
    public static let linkCorrupts = "link-corrupts"
    /// Photos wait for their second reading, and the card is not there.
    public static let rereadWaits = "second-reading-waits"
}
