/// One notice: a way of telling a person what is wrong.
public struct NoticeReply: WireValue {
    /// Its name in the configuration; also its id in paths.
    public var name: NoticeName
    /// How it goes.
    public var kind: Kind
    /// What waits to be told, conditions that began and that ended.
    public var waiting: Int
    /// Why it could not be told last, as a sentence; `nil` since it last could.
    @OrNull public var failure: String?

    /// Creates a reply.
    public init(name: NoticeName, kind: Kind, waiting: Int = 0, failure: String? = nil) {
        self.name = name
        self.kind = kind
        self.waiting = waiting
        self._failure = OrNull(wrappedValue: failure)
    }

    /// How a notice goes.
    public struct Kind: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A bubble on the desktop.
        public static let desktop = Self(rawValue: "desktop")
        /// POST of JSON.
        public static let webhook = Self(rawValue: "webhook")
        /// POST to a topic of ntfy.
        public static let ntfy = Self(rawValue: "ntfy")
        /// Mail, by the system's sendmail.
        public static let mail = Self(rawValue: "mail")

        /// Every word of this build.
        public static let all = [desktop, webhook, ntfy, mail]
    }
}

/// `GET /v1/notices`.
public struct NoticesReply: WireValue {
    /// The notices, in the order of the configuration.
    public var notices: [NoticeReply]

    /// Creates a reply.
    public init(notices: [NoticeReply]) { self.notices = notices }
}

/// `POST /v1/notices/{id}/test`: what came of a test notice. A failed test is an answer, not an error.
public struct NoticeTestReply: WireValue {
    /// The notice's name.
    public var notice: NoticeName
    /// Whether the other side took it.
    public var ok: Bool
    /// What the other side answered, as a sentence.
    public var sentence: String
    /// What a person can do, as a sentence; `nil` when all is well.
    @OrNull public var nextStep: String?
    /// How long it took, in milliseconds.
    public var tookMs: Int

    /// Creates a reply.
    public init(notice: NoticeName, ok: Bool, sentence: String, nextStep: String? = nil, tookMs: Int = 0) {
        self.notice = notice
        self.ok = ok
        self.sentence = sentence
        self._nextStep = OrNull(wrappedValue: nextStep)
        self.tookMs = tookMs
    }
}
