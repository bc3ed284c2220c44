/// `GET /v1/diagnosis`: what the service finds when it looks at itself and its surroundings.
public struct DiagnosisReply: WireValue {
    /// The checks, worst first.
    public var checks: [Check]

    /// Creates a reply.
    public init(checks: [Check]) {
        self.checks = checks
    }

    /// One thing that was looked at.
    public struct Check: WireValue {
        /// Stable word for programs, for example `udev-rule`.
        public var id: String
        /// What was looked at, in two or three words.
        public var title: String
        /// How it stands.
        public var verdict: Verdict
        /// What was found, as a sentence.
        public var sentence: String
        /// What to do, in order; empty when all is well.
        public var steps: [String]

        /// Creates a check.
        public init(id: String, title: String, verdict: Verdict, sentence: String, steps: [String] = []) {
            self.id = id
            self.title = title
            self.verdict = verdict
            self.sentence = sentence
            self.steps = steps
        }
    }

    /// How a check turned out.
    public struct Verdict: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// All is well.
        public static let ok = Self(rawValue: "ok")
        /// Good to know; nothing to do.
        public static let info = Self(rawValue: "info")
        /// Works, and somebody should look.
        public static let warning = Self(rawValue: "warning")
        /// Something does not work.
        public static let danger = Self(rawValue: "danger")

        /// Every word of this build.
        public static let all = [ok, info, warning, danger]
    }
}
