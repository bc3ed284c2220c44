public import FoundationEssentials

/// Something that a person should know about, with what to do next.
public struct Condition: Codable, Hashable, Sendable {
    /// How bad it is.
    public enum Severity: String, Codable, Hashable, Sendable, Comparable, CaseIterable {
        case info, warning, danger

        /// Orders by how bad it is.
        public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
        private var rank: Int { [.info: 0, .warning: 1, .danger: 2][self] ?? 0 }
    }

    /// Which one it is.
    public var kind: ConditionKind
    /// How bad it is.
    public var severity: Severity
    /// When it began.
    public var since: Date
    /// What it is about, of the kind that ``ConditionKind/subject`` says; `nil` for the whole service.
    public var subject: ConditionSubject?
    /// One sentence for people.
    public var sentence: String
    /// What to do, for people.
    public var nextStep: String

    /// Creates a condition.
    ///
    /// - Parameter severity: when it is not what the catalogue says.
    public init(
        _ kind: ConditionKind, _ severity: Severity? = nil, since: Date, subject: ConditionSubject? = nil,
        sentence: String, nextStep: String
    ) {
        self.kind = kind
        self.severity = severity ?? kind.severity
        self.since = since
        self.subject = subject
        self.sentence = sentence
        self.nextStep = nextStep
    }

    /// What makes it the same condition as before, whatever it says now.
    public struct Key: Hashable, Sendable {
        /// Which one it is.
        public var kind: ConditionKind
        /// What it is about.
        public var subject: ConditionSubject?

        /// Creates a key.
        public init(kind: ConditionKind, subject: ConditionSubject?) {
            self.kind = kind
            self.subject = subject
        }
    }

    /// What makes it the same condition as before.
    public var key: Key { Key(kind: kind, subject: subject) }

    /// The word for programs, for example `disk-full`. Stable.
    public var code: String { kind.rawValue }
}
