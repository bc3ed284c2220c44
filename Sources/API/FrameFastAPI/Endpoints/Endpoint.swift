/// One thing that can be asked of the daemon. The router, the access policy, the client and the document read this.
public struct Endpoint<Path: PathValue, Input: WireRequest, Reply: Sendable>: Sendable {
    /// All of it that is not a type.
    public let row: EndpointRow

    private init(_ row: EndpointRow) { self.row = row }
}

extension Endpoint where Reply: WireValue {
    /// Declares an endpoint that answers with one JSON value.
    ///
    /// - Parameters:
    ///   - path: Below the version's prefix, with `{id}` for what varies.
    ///   - subject: What `{id}` names, when it is a number: "session".
    ///   - errors: What it may refuse, beside what its form brings along.
    ///   - patienceSeconds: Longest silence that a client should bear.
    ///   - bodyBytesMax: Largest body, where the usual bound is too small.
    init(
        _ method: EndpointRow.Method, _ path: String, _ access: EndpointRow.Access, _ summary: String,
        subject: String = "", status: Int = 200, errors: [ErrorReply.Code] = [], patienceSeconds: Int? = nil,
        bodyBytesMax: Int? = nil
    ) {
        self.init(
            EndpointRow(
                method: method, path: APIVersion.prefix + path, access: access, summary: summary,
                subject: subject, status: status, ownErrors: errors, patienceSeconds: patienceSeconds,
                bodyBytesMax: bodyBytesMax, pathType: Path.self, inputType: Input.self,
                reply: .json(Reply.self)))
    }
}

extension Endpoint where Reply: WireText, Path == NoPath, Input == NoInput {
    /// Declares an endpoint that answers with a text.
    ///
    /// - Parameter path: The whole path.
    init(text path: String, _ access: EndpointRow.Access, _ summary: String) {
        self.init(
            EndpointRow(
                method: .get, path: path, access: access, summary: summary, pathType: Path.self,
                inputType: Input.self, reply: .text(Reply.self)))
    }
}

extension Endpoint where Reply == EventReply, Path == NoPath, Input == NoInput {
    /// Declares an endpoint that streams events.
    init(
        events path: String, _ access: EndpointRow.Access, _ summary: String, explanation: String,
        errors: [ErrorReply.Code]
    ) {
        self.init(
            EndpointRow(
                method: .get, path: APIVersion.prefix + path, access: access, summary: summary,
                ownErrors: errors, explanation: explanation, pathType: Path.self, inputType: Input.self,
                reply: .events(Reply.self)))
    }
}

extension Endpoint where Reply == LivePicture {
    /// Declares an endpoint that answers with a picture.
    init(
        picture path: String, _ access: EndpointRow.Access, _ summary: String, errors: [ErrorReply.Code]
    ) {
        self.init(
            EndpointRow(
                method: .get, path: APIVersion.prefix + path, access: access, summary: summary,
                ownErrors: errors, pathType: Path.self, inputType: Input.self,
                reply: .picture(LivePicture.contentType)))
    }
}

extension Endpoint where Reply == StillPicture {
    /// Declares an endpoint that answers with a picture that stays the same.
    init(
        still path: String, _ access: EndpointRow.Access, _ summary: String, subject: String,
        errors: [ErrorReply.Code]
    ) {
        self.init(
            EndpointRow(
                method: .get, path: APIVersion.prefix + path, access: access, summary: summary,
                subject: subject, ownErrors: errors, pathType: Path.self, inputType: Input.self,
                reply: .picture(StillPicture.contentType)))
    }
}

extension Endpoint where Reply == LivePictures {
    /// Declares an endpoint that answers with pictures for as long as they are taken.
    init(
        pictures path: String, _ access: EndpointRow.Access, _ summary: String, explanation: String,
        errors: [ErrorReply.Code]
    ) {
        self.init(
            EndpointRow(
                method: .get, path: APIVersion.prefix + path, access: access, summary: summary,
                ownErrors: errors, explanation: explanation, pathType: Path.self, inputType: Input.self,
                reply: .picture(LivePictures.contentType)))
    }
}

/// An endpoint without its types: what router, policy and document need.
public struct EndpointRow: Sendable {
    /// Who may use an endpoint.
    public enum Access: String, Sendable {
        /// Anybody who may look: everybody when `api.public_status` is on, controllers always.
        case read
        /// Root, the daemon's own user, members of the group.
        case control
    }

    /// HTTP methods in use.
    public enum Method: String, Sendable {
        /// Look.
        case get = "GET"
        /// Do.
        case post = "POST"
        /// Put one thing in the place of another.
        case put = "PUT"
        /// Change a part.
        case patch = "PATCH"
        /// Remove.
        case delete = "DELETE"
    }

    /// What a good answer is.
    public enum Reply: Sendable {
        /// One JSON value.
        case json(any WireValue.Type)
        /// A text.
        case text(any WireText.Type)
        /// Server-sent events, each with one JSON value.
        case events(any WireValue.Type)
        /// A picture, or some, of a content type.
        case picture(String)
    }

    /// Its name in the document; ``Endpoints`` gives it.
    public internal(set) var name = ""
    /// HTTP method.
    public let method: Method
    /// Path with `{id}` for what varies.
    public let path: String
    /// Who may use it.
    public let access: Access
    /// One line for the document.
    public let summary: String
    /// What `{id}` names, when it is a number.
    public var subject = ""
    /// Status of a good answer.
    public var status = 200
    var ownErrors: [ErrorReply.Code] = []
    /// Longest silence that a client should bear, in seconds; `nil` for its own.
    public var patienceSeconds: Int?
    /// Largest body, in bytes; `nil` for the server's usual bound.
    public var bodyBytesMax: Int?
    /// More about the answer, for the document; empty for nothing.
    public var explanation = ""
    /// What varies in the path.
    public let pathType: any PathValue.Type
    /// What is given.
    public let inputType: any WireRequest.Type
    /// What a good answer is.
    public let reply: Reply

    /// Whether something is given.
    public var takesInput: Bool { inputType != NoInput.self }
    /// Whether what is given stands in the query: what is only looked at or removed has no body.
    public var takesQuery: Bool { takesInput && (method == .get || method == .delete) }
    /// Whether what is given is the body.
    public var takesBody: Bool { takesInput && !takesQuery }
    /// Whether something varies in the path.
    public var takesPath: Bool { pathType != NoPath.self }

    /// What it may refuse. Every endpoint refuses who may not, a query that it does not know, and when it fails itself.
    public var errors: [ErrorReply.Code] {
        var errors = ownErrors + [.forbidden, .badRequest, .internal]
        if takesPath { errors.append(.notFound) }
        if takesBody { errors.append(.tooLong) }
        return ErrorReply.Code.all.filter(errors.contains)
    }
}
