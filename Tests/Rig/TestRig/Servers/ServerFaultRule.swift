/// A rule for requests that a server of the rig refuses or handles incorrectly; see nasty_rules.py.
public struct ServerFaultRule: Encodable, Hashable, Sendable {
    /// The server's response to a matching request.
    public enum Response: CustomStringConvertible, Encodable, Hashable, Sendable {
        /// Sends a status.
        case status(Int)
        /// Closes the connection.
        case drop
        /// Resets the connection (HTTP only).
        case reset

        /// The response in the form of ``ServerFaultCounts/Request/answer``.
        public var description: String {
            switch self {
            case .status(let status): "\(status)"
            case .drop: "drop"
            case .reset: "reset"
            }
        }

        /// Encodes the status, or the name of the fault.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .status(let status): try container.encode(status)
            case .drop, .reset: try container.encode(description)
            }
        }
    }

    /// The request's verbs, or `nil` for any verb.
    public var verb: [String]?
    /// A regular expression that must match in the name, or `nil` for any name.
    public var name: String?
    /// A regular expression that must match in a `Name: value` header, or `nil` for any headers (HTTP only).
    public var header: String?
    /// The minimum size, in bytes, or `nil` for any size.
    public var above: Int?
    /// Whether a file with the name must exist, or `nil` if the rule applies in both cases.
    public var exists: Bool?
    /// Whether a client must have the name open for writing, or `nil` if the rule applies in both cases
    /// (SFTP only).
    public var beingWritten: Bool?
    /// Whether the folder of the name must exist, or `nil` if the rule applies in both cases (SFTP only).
    public var folderExists: Bool?
    /// The number of matching requests to which the rule applies, or `nil` for all.
    public var first: Int?
    /// The number of matching requests before the rule applies.
    public var after: Int?
    /// Whether requests are counted separately for each name.
    public var each: Bool?
    /// The server's response.
    public var answer: Response
    /// The text of the server's response.
    public var message: String?
    /// The S3 error code in the server's response.
    public var code: String?
    /// Whether the server executes the request and then refuses it.
    public var executesFirst: Bool?
    /// Whether the server accepts the request and does something else, for example stores zeros; see
    /// nasty_rules.py.
    public var storesIncorrectly: Bool?
    /// Whether the server executes the request, and its entity tags look like MD5s but are not MD5s of the
    /// bytes (S3 only).
    public var otherTags: Bool?
    /// The size that the server reports for an existing file, in bytes; -1 for no size (HTTP only).
    public var reportedSize: Int?

    /// Creates a rule; see nasty_rules.py for the meaning of each part.
    public init(
        _ verb: String..., name: String? = nil, header: String? = nil, above: Int? = nil,
        exists: Bool? = nil, first: Int? = nil, after: Int? = nil, answer: Int, message: String? = nil,
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
        self.message = message
        self.code = code
    }

    /// The same rule with a dropped connection instead of a response.
    public var dropping: ServerFaultRule {
        var rule = self
        rule.answer = .drop
        return rule
    }

    /// The same rule with a reset connection instead of a response.
    public var resetting: ServerFaultRule {
        var rule = self
        rule.answer = .reset
        return rule
    }

    /// The same rule for names that a client has open for writing (SFTP only).
    public var whileBeingWritten: ServerFaultRule {
        var rule = self
        rule.beingWritten = true
        return rule
    }

    /// The same rule for names in folders that do not exist (SFTP only).
    public var inMissingFolders: ServerFaultRule {
        var rule = self
        rule.folderExists = false
        return rule
    }

    /// The same rule with a separate count of requests for each name.
    public var forEachName: ServerFaultRule {
        var rule = self
        rule.each = true
        return rule
    }

    /// Returns the same rule with another status, or with a dropped connection for `nil`.
    public func answering(_ status: Int?) -> ServerFaultRule {
        var rule = self
        rule.answer = status.map(Response.status) ?? .drop
        return rule
    }

    /// The same rule for a server that accepts the request and stores other bytes, or stores them elsewhere.
    public var storingIncorrectly: ServerFaultRule {
        var rule = self
        rule.storesIncorrectly = true
        return rule
    }

    /// The same rule for a server that executes the request, and whose entity tags look like MD5s but are not
    /// MD5s of the bytes.
    public var withOtherTags: ServerFaultRule {
        var rule = self
        rule.otherTags = true
        return rule
    }

    /// Returns the same rule for a server that accepts the request and reports another size of the file. With
    /// -1, an HTTP server reports no size.
    public func reportingSize(_ bytes: Int) -> ServerFaultRule {
        var rule = self
        rule.reportedSize = bytes
        return rule
    }

    /// The same rule for a server that executes the request and then refuses it.
    public var afterExecuting: ServerFaultRule {
        var rule = self
        rule.executesFirst = true
        return rule
    }
}
