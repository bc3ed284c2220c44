/// `GET /v1/diagnosis`: the results of the daemon's checks of itself and its environment.
public struct DiagnosisReply: WireValue {
    /// The checks, worst first.
    public var checks: [Check]

    /// Creates a reply.
    public init(checks: [Check]) {
        self.checks = checks
    }

    /// A check and its result.
    public struct Check: WireValue {
        /// The stable word for programs, for example `udev-rule`.
        public var id: String
        /// The subject of the check, in two or three words.
        public var title: String
        /// The result.
        public var verdict: Verdict
        /// The finding, as a sentence.
        public var sentence: String
        /// The steps for a person, in order; empty if all is well.
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

    /// The result of a check.
    public struct Verdict: WireWord {
        /// The word on the wire.
        public let rawValue: String
        /// Creates a word, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// All is well.
        public static let ok = Self(rawValue: "ok")
        /// Worth knowing. No action is needed.
        public static let info = Self(rawValue: "info")
        /// Works, but a person should check.
        public static let warning = Self(rawValue: "warning")
        /// Something does not work.
        public static let danger = Self(rawValue: "danger")

        /// All words that this build knows.
        public static let all = [ok, info, warning, danger]
    }
}
