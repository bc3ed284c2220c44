/// An endpoint of the API, which the router, the access policy, the client and the OpenAPI document use.
public struct Endpoint<Path: PathValue, Input: WireRequest, Reply: Sendable>: Sendable {
    /// The endpoint without its types.
    public let row: EndpointRow

    private init(_ row: EndpointRow) { self.row = row }
}

extension Endpoint where Reply: WireValue {
    /// Declares an endpoint that returns one JSON value.
    ///
    /// - Parameters:
    ///   - path: The path without the version prefix, with `{id}` as the variable part.
    ///   - subject: The words before an invalid numeric `{id}` in the error message, such as "session".
    ///   - errors: The errors of this endpoint. ``EndpointRow/errors`` adds the errors that its path and
    ///     input types imply.
    ///   - timeoutSeconds: The time without data after which a client gives up, in seconds, or `nil` for the
    ///     client's own timeout.
    init(
        _ method: EndpointRow.Method, _ path: String, _ access: EndpointRow.Access, _ summary: String,
        subject: String = "", status: Int = 200, errors: [ErrorReply.Code] = [], timeoutSeconds: Int? = nil
    ) {
        self.init(
            EndpointRow(
                method: method, path: APIVersion.prefix + path, access: access, summary: summary,
                subject: subject, status: status, ownErrors: errors, timeoutSeconds: timeoutSeconds,
                pathType: Path.self, inputType: Input.self, reply: .json(Reply.self)))
    }
}

extension Endpoint where Reply: WireText, Path == NoPath, Input == NoInput {
    /// Declares an endpoint that returns a text.
    ///
    /// - Parameter path: The complete path. No version prefix is added.
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
    /// Declares an endpoint that returns a picture.
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

extension Endpoint where Path == ShotID, Input == ShotPictureQuery, Reply == ShotPicture {
    /// Declares an endpoint that returns a picture of a shot. Only users with control may see photos.
    init(shotPicture path: String, _ summary: String) {
        self.init(
            EndpointRow(
                method: .get, path: APIVersion.prefix + path, access: .control, summary: summary,
                subject: "a shot with id", ownErrors: [.unavailable],
                explanation: """
                    A JPEG. Its ETag is the revision of the shot. A request with If-None-Match and this ETag receives status
                    304 without a body. A shot without a picture has status 404. A request with one range of bytes receives
                    this part with status 206, or status 416 if the range starts after the end. With If-Range, the range
                    applies only to this ETag.
                    """, pathType: Path.self, inputType: Input.self, reply: .picture(ShotPicture.contentType))
        )
    }
}

extension Endpoint where Reply == LivePictures {
    /// Declares an endpoint that streams pictures.
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

/// An endpoint without generic types. The router, the access policy and the OpenAPI document use it.
public struct EndpointRow: Sendable {
    /// The permission that an endpoint requires.
    public enum Access: String, Sendable {
        /// All users if `api.public_status` is on. Otherwise only users with control.
        case read
        /// Root, the daemon's own user, and members of the group `framefast`.
        case control
    }

    /// The HTTP methods that the API uses.
    public enum Method: String, Sendable {
        /// Reads.
        case get = "GET"
        /// Performs an action.
        case post = "POST"
        /// Replaces a resource.
        case put = "PUT"
        /// Changes a part of a resource.
        case patch = "PATCH"
        /// Deletes a resource.
        case delete = "DELETE"
    }

    /// The type of a successful reply.
    public enum Reply: Sendable {
        /// One JSON value.
        case json(any WireValue.Type)
        /// A text.
        case text(any WireText.Type)
        /// Server-sent events, each with one JSON value.
        case events(any WireValue.Type)
        /// One picture or a stream of pictures, with this content type.
        case picture(String)
    }

    /// The name in the OpenAPI document, which ``Endpoints`` sets.
    public internal(set) var name = ""
    /// The HTTP method.
    public let method: Method
    /// The path, with `{id}` as the variable part.
    public let path: String
    /// The permission that the endpoint requires.
    public let access: Access
    /// The summary in the OpenAPI document, one line.
    public let summary: String
    /// The words before an invalid numeric `{id}` in the error message; empty for other ids.
    public var subject = ""
    /// The HTTP status of a successful reply.
    public var status = 200
    var ownErrors: [ErrorReply.Code] = []
    /// The time without data after which a client gives up, in seconds, or `nil` for the client's own
    /// timeout.
    public var timeoutSeconds: Int?
    /// The description of the reply in the OpenAPI document; may be empty.
    public var explanation = ""
    /// The type of the variable part of the path.
    public let pathType: any PathValue.Type
    /// The type of the request.
    public let inputType: any WireRequest.Type
    /// The type of a successful reply.
    public let reply: Reply

    /// Whether the endpoint has a request type.
    public var takesInput: Bool { inputType != NoInput.self }
    /// Whether a client sends the fields of the request in the query, because GET and DELETE have no body.
    public var takesQuery: Bool { takesInput && (method == .get || method == .delete) }
    /// Whether a client sends the fields of the request as a JSON body.
    public var takesBody: Bool { takesInput && !takesQuery }
    /// Whether the path has a variable part.
    public var takesPath: Bool { pathType != NoPath.self }

    /// The errors that the endpoint may return. Any endpoint may refuse a user without permission, refuse a
    /// malformed request, or fail internally.
    public var errors: [ErrorReply.Code] {
        var errors = ownErrors + [.forbidden, .badRequest, .internal]
        if takesPath { errors.append(.notFound) }
        if takesBody { errors.append(.tooLong) }
        return ErrorCode.allCases.filter(errors.contains)
    }
}
