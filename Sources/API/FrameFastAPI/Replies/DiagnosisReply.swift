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
        /// The stable name of the check, for programs. For example `udev-rule`.
        public var id: String
        /// The subject of the check, in two or three words.
        public var title: String
        /// The result.
        @Word public var verdict: Level?
        /// The finding, as a sentence.
        public var sentence: String
        /// The steps for a person, in order. The list is empty if the check found no problem.
        public var steps: [String]

        /// Creates a check.
        public init(id: String, title: String, verdict: Level, sentence: String, steps: [String] = []) {
            self.id = id
            self.title = title
            self._verdict = Word(verdict)
            self.sentence = sentence
            self.steps = steps
        }
    }

    /// The result of a check.
    public typealias Level = CheckLevel
}
