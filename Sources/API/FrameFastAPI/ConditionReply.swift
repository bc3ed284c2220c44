public import FoundationEssentials

/// Something that needs to be known about the health of the whole, while it lasts.
public struct ConditionReply: Codable, Hashable, Sendable {
    /// Stable word for programs, for example `disk-full`.
    public var code: String
    /// How bad it is.
    public var severity: Severity
    /// Since when.
    public var since: Date
    /// What it is about: a camera's id, a directory; `nil` for the daemon as a whole.
    @OrNull public var subject: String?
    /// What is the matter, as a sentence.
    public var sentence: String
    /// What the person can do, as a sentence; `nil` when there is nothing to do.
    @OrNull public var nextStep: String?

    /// Creates a condition.
    public init(
        code: String, severity: Severity, since: Date, subject: String? = nil, sentence: String,
        nextStep: String? = nil
    ) {
        self.code = code
        self.severity = severity
        self.since = since
        self._subject = OrNull(wrappedValue: subject)
        self.sentence = sentence
        self._nextStep = OrNull(wrappedValue: nextStep)
    }

    /// How bad a condition is.
    public struct Severity: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Good to know; nothing to do.
        public static let info = Self(rawValue: "info")
        /// Works, and somebody should look.
        public static let warning = Self(rawValue: "warning")
        /// Something does not work.
        public static let danger = Self(rawValue: "danger")
    }
}

/// `GET /v1/conditions`, worst first.
public struct ConditionsReply: Codable, Hashable, Sendable {
    /// The conditions; empty when all is well.
    public var conditions: [ConditionReply]

    /// Creates a reply.
    public init(conditions: [ConditionReply]) {
        self.conditions = conditions
    }
}
