public import FoundationEssentials

/// Something that needs a person's attention, with the next step.
public struct Condition: Codable, Hashable, Sendable {
    /// The severity of a condition.
    public typealias Severity = ConditionSeverity

    /// The kind of condition.
    public var kind: ConditionKind
    /// The severity.
    public var severity: Severity
    /// The time at which the condition began.
    public var since: Date
    /// The subject, or `nil` for the whole service. ``ConditionKind/subject`` is the kind of subject.
    public var subject: ConditionSubject?
    /// The problem, as one sentence for people.
    public var sentence: String
    /// The next step, for people.
    public var nextStep: String

    /// Creates a condition.
    ///
    /// - Parameter severity: The severity, or `nil` for the default of the kind.
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

    /// The identity of a condition, independent of its text.
    public struct Key: Hashable, Sendable {
        /// The kind of condition.
        public var kind: ConditionKind
        /// The subject.
        public var subject: ConditionSubject?

        /// Creates a key.
        public init(kind: ConditionKind, subject: ConditionSubject?) {
            self.kind = kind
            self.subject = subject
        }
    }

    /// The identity of the condition.
    public var key: Key { Key(kind: kind, subject: subject) }

    /// The stable code for programs, for example `disk-full`.
    public var code: String { kind.rawValue }
}
