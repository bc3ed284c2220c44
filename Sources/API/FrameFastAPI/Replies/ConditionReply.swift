public import FoundationEssentials

/// Something that needs to be known about the health of the whole, while it lasts.
public struct ConditionReply: WireValue {
    /// Stable word for programs, for example `disk-full`.
    public var code: String
    /// How bad it is.
    public var severity: Severity
    /// Since when.
    public var since: Date
    /// What kind of thing it is about.
    public var about: Subject
    /// Which one: a camera's id, a destination's, hook's or notice's name, a folder; `nil` for the daemon as a whole.
    @OrNull public var subject: String?
    /// What people call it: a camera's name; `nil` for the daemon as a whole.
    @OrNull public var name: String?
    /// The condition for a status bar, with its subject: at most 24 characters.
    public var short: String
    /// What is the matter, as a sentence.
    public var sentence: String
    /// What the person can do, as a sentence; `nil` when there is nothing to do.
    @OrNull public var nextStep: String?

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.short, "For status bars", length: 0...24)
        ]
    }

    /// Creates a condition.
    public init(
        code: String, severity: Severity, since: Date, about: Subject, subject: String? = nil,
        name: String? = nil, short: String, sentence: String, nextStep: String? = nil
    ) {
        self.code = code
        self.severity = severity
        self.since = since
        self.about = about
        self._subject = OrNull(wrappedValue: subject)
        self._name = OrNull(wrappedValue: name)
        self.short = short
        self.sentence = sentence
        self._nextStep = OrNull(wrappedValue: nextStep)
    }

    /// The camera that it is about; `nil` for something else.
    public var camera: CameraID? { about == .camera ? subject.map(CameraID.init(rawValue:)) : nil }

    /// What kind of thing a condition is about.
    public struct Subject: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The daemon as a whole.
        public static let service = Self(rawValue: "service")
        /// A camera.
        public static let camera = Self(rawValue: "camera")
        /// A destination.
        public static let destination = Self(rawValue: "destination")
        /// A hook.
        public static let hook = Self(rawValue: "hook")
        /// A folder on this computer.
        public static let folder = Self(rawValue: "folder")
        /// A group of cameras.
        public static let group = Self(rawValue: "group")
        /// A notice: a way of telling a person.
        public static let notice = Self(rawValue: "notice")

        /// Every word of this build.
        public static let all = [service, camera, destination, hook, folder, group, notice]
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

        /// Every word of this build.
        public static let all = [info, warning, danger]
    }
}

/// `GET /v1/conditions`, worst first.
public struct ConditionsReply: WireValue {
    /// The conditions; empty when all is well.
    public var conditions: [ConditionReply]

    /// Creates a reply.
    public init(conditions: [ConditionReply]) {
        self.conditions = conditions
    }
}
