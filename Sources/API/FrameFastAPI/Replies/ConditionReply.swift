public import FoundationEssentials

/// A current condition that needs attention or is worth knowing.
public struct ConditionReply: WireValue {
    /// The stable code, for programs. For example `disk-full`.
    public var code: String
    /// The severity.
    @Word public var severity: Severity?
    /// The time when the condition started.
    public var since: Date
    /// The kind of the condition's subject.
    @Word public var about: Subject?
    /// The subject: a camera's id, the name of a destination or hook, or a folder. `nil` if the condition is
    /// about the whole daemon.
    @OrNull public var subject: String?
    /// The name that people use for the subject, or `nil` if the condition is about the whole daemon.
    @OrNull public var name: String?
    /// The text for a status bar, with the subject, at most 24 characters.
    public var short: String
    /// The description, as a sentence.
    public var sentence: String
    /// The next step for a person, as a sentence, or `nil` if no action is needed.
    @OrNull public var nextStep: String?

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.short, "Text for status bars", length: 0...24)
        ]
    }

    /// Creates a condition.
    public init(
        code: String, severity: Severity, since: Date, about: Subject, subject: String? = nil,
        name: String? = nil, short: String, sentence: String, nextStep: String? = nil
    ) {
        self.code = code
        self._severity = Word(severity)
        self.since = since
        self._about = Word(about)
        self._subject = OrNull(wrappedValue: subject)
        self._name = OrNull(wrappedValue: name)
        self.short = short
        self.sentence = sentence
        self._nextStep = OrNull(wrappedValue: nextStep)
    }

    /// The camera that is the subject, or `nil` if the subject is not a camera.
    public var camera: CameraID? { about == .camera ? subject.map(CameraID.init(rawValue:)) : nil }

    /// The kind of a condition's subject.
    public typealias Subject = ConditionSubjectKind

    /// The severity of a condition.
    public typealias Severity = ConditionSeverity
}

/// `GET /v1/conditions`: the current conditions, worst first.
public struct ConditionsReply: WireValue {
    /// The current conditions.
    public var conditions: [ConditionReply]

    /// Creates a reply.
    public init(conditions: [ConditionReply]) {
        self.conditions = conditions
    }
}
