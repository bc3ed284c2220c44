/// A request that a server of the rig refuses; see nasty_rules.py.
public struct NastyRule: Encodable, Hashable, Sendable {
    /// How a server refuses.
    public enum Answer: CustomStringConvertible, Encodable, Hashable, Sendable {
        /// A status.
        case status(Int)
        /// Ends the connection.
        case drop
        /// Resets the connection (HTTP only).
        case reset

        /// The answer as ``NastyCounts/Request/answer`` has it.
        public var description: String {
            switch self {
            case .status(let status): "\(status)"
            case .drop: "drop"
            case .reset: "reset"
            }
        }

        /// Encodes the status, or the word.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .status(let status): try container.encode(status)
            case .drop, .reset: try container.encode(description)
            }
        }
    }

    /// The request's verbs, or `nil` for each request.
    public var verb: [String]?
    /// A regular expression that is searched for in the name.
    public var name: String?
    /// A regular expression that is searched for in each `Name: value` (HTTP only).
    public var header: String?
    /// The least size, in bytes.
    public var above: Int?
    /// Whether the name is there already.
    public var exists: Bool?
    /// The number of matching requests that are refused, or `nil` for all.
    public var first: Int?
    /// The number of matching requests that pass first.
    public var after: Int?
    /// Whether the requests are counted for each name.
    public var each: Bool?
    /// The server's answer.
    public var answer: Answer
    /// The server's words.
    public var words: String?
    /// S3's word.
    public var code: String?
    /// Whether the server does as asked before it answers so.
    public var partly: Bool?
    /// Whether the server takes the request and does another thing; see nasty_rules.py.
    public var spoils: Bool?
    /// The size that the server tells of a file that is there, in bytes; -1 for none.
    public var tells: Int?

    /// Creates a rule; see nasty_rules.py for what each part means.
    public init(
        _ verb: String..., name: String? = nil, header: String? = nil, above: Int? = nil,
        exists: Bool? = nil, first: Int? = nil, after: Int? = nil, answer: Int, words: String? = nil,
        code: String? = nil
    ) {
        self.verb = verb.isEmpty ? nil : verb
        self.name = name
        self.header = header
        self.above = above
        self.exists = exists
        self.first = first
        self.after = after
        self.answer = .status(answer)
        self.words = words
        self.code = code
    }

    /// The same rule with a dropped connection in place of an answer.
    public var dropping: NastyRule {
        var rule = self
        rule.answer = .drop
        return rule
    }

    /// The same rule with a connection that is reset in place of an answer.
    public var resetting: NastyRule {
        var rule = self
        rule.answer = .reset
        return rule
    }

    /// The same rule, whose requests are counted for each name.
    public var forEachName: NastyRule {
        var rule = self
        rule.each = true
        return rule
    }

    /// The same rule with another answer, or with a dropped connection for `nil`.
    public func answering(_ status: Int?) -> NastyRule {
        var rule = self
        rule.answer = status.map(Answer.status) ?? .drop
        return rule
    }

    /// The same rule for a server that takes the request and does another thing.
    public var storingOtherBytes: NastyRule {
        var rule = self
        rule.spoils = true
        return rule
    }

    /// The same rule for a server that does not refuse, and tells another size of a file; -1 for none.
    public func telling(_ bytes: Int) -> NastyRule {
        var rule = self
        rule.tells = bytes
        return rule
    }

    /// The same rule for a server that does as asked before it refuses.
    public var afterDoing: NastyRule {
        var rule = self
        rule.partly = true
        return rule
    }
}
