/// A request that a server of the rig refuses; see nasty_rules.py.
struct NastyRule: Encodable, Hashable, Sendable {
    /// How a server refuses.
    enum Answer: Encodable, Hashable, Sendable {
        case status(Int)
        /// Ends the connection.
        case drop

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .status(let status): try container.encode(status)
            case .drop: try container.encode("drop")
            }
        }
    }

    var verb: [String]?
    var name: String?
    var header: String?
    var above: Int?
    var exists: Bool?
    var first: Int?
    var after: Int?
    /// Whether the requests are counted for each name.
    var each: Bool?
    var answer: Answer
    var words: String?
    var code: String?
    /// Whether the server does as asked before it answers so.
    var partly: Bool?
    /// Whether the server takes the request and does another thing; see nasty_rules.py.
    var spoils: Bool?

    init(
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
    var dropping: NastyRule {
        var rule = self
        rule.answer = .drop
        return rule
    }

    /// The same rule, whose requests are counted for each name.
    var forEachName: NastyRule {
        var rule = self
        rule.each = true
        return rule
    }

    /// The same rule with another answer, or with a dropped connection for `nil`.
    func answering(_ status: Int?) -> NastyRule {
        var rule = self
        rule.answer = status.map(Answer.status) ?? .drop
        return rule
    }

    /// The same rule for a server that takes the request and does another thing.
    var storingOtherBytes: NastyRule {
        var rule = self
        rule.spoils = true
        return rule
    }

    /// The same rule for a server that does as asked before it refuses.
    var afterDoing: NastyRule {
        var rule = self
        rule.partly = true
        return rule
    }
}
