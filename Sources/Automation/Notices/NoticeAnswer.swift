/// What became of a message.
public enum NoticeAnswer: Hashable, Sendable {
    /// The other side took it; what it answered, as a sentence.
    case taken(String)
    /// It did not arrive; why, and what to do, a sentence each.
    case undelivered(String, nextStep: String)
}

/// A POST that tells something.
public struct NoticePost: Sendable {
    /// Where to.
    public var url: String
    /// Header fields, in order.
    public var headers: [(name: String, value: String)]
    /// What is sent.
    public var body: [UInt8]
    /// PEM file of the authorities that may vouch for the server; `nil` for the system's.
    public var caFile: String?

    /// Creates a POST.
    public init(
        url: String, headers: [(name: String, value: String)], body: [UInt8], caFile: String? = nil
    ) {
        self.url = url
        self.headers = headers
        self.body = body
        self.caFile = caFile
    }
}

/// What came of a POST.
public enum NoticePostOutcome: Hashable, Sendable {
    /// The server answered: HTTP status, and the beginning of what it said.
    case answered(status: Int, text: String)
    /// It did not; why, as a sentence, and what to do.
    case failed(String, nextStep: String?)
}
