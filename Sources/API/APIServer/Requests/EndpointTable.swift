import FoundationEssentials
public import FrameFastAPI
import HTTPTypes
package import HummingbirdCore

/// A table of handlers by endpoint. A handler has the request and reply types of its endpoint.
public struct EndpointTable: Sendable {
    /// A handler that receives the request and the text of its `{…}` segment.
    package typealias Handler = @Sendable (Request, String) async throws(ControlError) -> Response

    private var handlers: [String: Handler] = [:]

    /// Creates a table with the handlers that the surface attaches.
    public init(of surface: any ControlSurface) {
        surface.attachHandlers(to: &self)
    }

    /// The names of the endpoints without a handler. A test checks that the list is empty.
    public var missing: [String] {
        Endpoints.rows.filter { handlers[Self.key($0)] == nil }.map(\.name)
    }

    /// Attaches a handler to an endpoint that takes an id and a request.
    public mutating func handle<Path: PathValue, Input: WireRequest, Reply: WireValue>(
        _ endpoint: KeyPath<Endpoints, Endpoint<Path, Input, Reply>>,
        with handler: @escaping @Sendable (Path, Input) async throws(ControlError) -> Reply
    ) {
        let status = Endpoints.catalog[keyPath: endpoint].row.status
        attach(endpoint) { path, input, _ throws(ControlError) in
            try .json(try await handler(path, input), status: .init(code: status))
        }
    }

    /// Attaches a handler to an endpoint that takes an id.
    public mutating func handle<Path: PathValue, Reply: WireValue>(
        _ endpoint: KeyPath<Endpoints, Endpoint<Path, NoInput, Reply>>,
        with handler: @escaping @Sendable (Path) async throws(ControlError) -> Reply
    ) {
        handle(endpoint) { path, _ throws(ControlError) in try await handler(path) }
    }

    /// Attaches a handler to an endpoint that takes a request.
    public mutating func handle<Input: WireRequest, Reply: WireValue>(
        _ endpoint: KeyPath<Endpoints, Endpoint<NoPath, Input, Reply>>,
        with handler: @escaping @Sendable (Input) async throws(ControlError) -> Reply
    ) {
        handle(endpoint) { _, input throws(ControlError) in try await handler(input) }
    }

    /// Attaches a handler to an endpoint that takes no arguments.
    public mutating func handle<Reply: WireValue>(
        _ endpoint: KeyPath<Endpoints, Endpoint<NoPath, NoInput, Reply>>,
        with handler: @escaping @Sendable () async throws(ControlError) -> Reply
    ) {
        handle(endpoint) { _, _ throws(ControlError) in try await handler() }
    }

    /// Attaches a handler whose reply has its own encoder.
    ///
    /// - Parameter encode: Returns the same bytes as ``WireCoder``.
    mutating func handle<Reply: WireValue>(
        _ endpoint: KeyPath<Endpoints, Endpoint<NoPath, NoInput, Reply>>,
        encode: @escaping @Sendable (Reply) throws -> Data,
        with handler: @escaping @Sendable () async throws(ControlError) -> Reply
    ) {
        let row = Endpoints.catalog[keyPath: endpoint].row
        attach(row) { request, _ throws(ControlError) in
            _ = try await Self.input(NoInput.self, of: request, row)
            let reply = try await handler()
            return try .json(status: .init(code: row.status)) { try encode(reply) }
        }
    }

    /// Attaches a handler to an endpoint that returns a text.
    public mutating func handle<Reply: WireText>(
        _ endpoint: KeyPath<Endpoints, Endpoint<NoPath, NoInput, Reply>>,
        with handler: @escaping @Sendable () async throws(ControlError) -> Reply
    ) {
        let row = Endpoints.catalog[keyPath: endpoint].row
        attach(row) { request, _ throws(ControlError) in
            _ = try await Self.input(NoInput.self, of: request, row)
            let content = try await handler().content(accept: request.headers[.accept])
            return .text(content.text, type: content.type)
        }
    }

    /// Attaches an event stream to an endpoint.
    mutating func handle(
        _ endpoint: KeyPath<Endpoints, Endpoint<NoPath, NoInput, EventReply>>,
        stream: @escaping @Sendable () throws(ControlError) -> Response
    ) {
        let row = Endpoints.catalog[keyPath: endpoint].row
        attach(row) { request, _ throws(ControlError) in
            _ = try await Self.input(NoInput.self, of: request, row)
            return try stream()
        }
    }

    /// Attaches a handler to an endpoint that returns a picture.
    public mutating func handle<Path: PathValue, Input: WireRequest>(
        _ endpoint: KeyPath<Endpoints, Endpoint<Path, Input, LivePicture>>,
        with handler: @escaping @Sendable (Path, Input) async throws(ControlError) -> LivePicture
    ) {
        attach(endpoint) { path, input, _ throws(ControlError) in .picture(try await handler(path, input)) }
    }

    /// Attaches a handler to an endpoint that returns a stream of pictures.
    public mutating func handle<Path: PathValue, Input: WireRequest>(
        _ endpoint: KeyPath<Endpoints, Endpoint<Path, Input, LivePictures>>,
        with handler: @escaping @Sendable (Path, Input) async throws(ControlError) -> LivePictures
    ) {
        attach(endpoint) { path, input, _ throws(ControlError) in .pictures(try await handler(path, input)) }
    }

    /// Attaches a handler to an endpoint that returns a picture of a shot.
    public mutating func handle<Path: PathValue, Input: WireRequest>(
        _ endpoint: KeyPath<Endpoints, Endpoint<Path, Input, ShotPicture>>,
        with handler: @escaping @Sendable (Path, Input) async throws(ControlError) -> ShotPicture
    ) {
        attach(endpoint) { path, input, request throws(ControlError) in
            let picture = try await handler(path, input)
            return try await .shotPicture(picture, to: request.headers)
        }
    }

    private mutating func attach<Path: PathValue, Input: WireRequest, Reply>(
        _ endpoint: KeyPath<Endpoints, Endpoint<Path, Input, Reply>>,
        _ handler: @escaping @Sendable (Path, Input, Request) async throws(ControlError) -> Response
    ) {
        let row = Endpoints.catalog[keyPath: endpoint].row
        attach(row) { request, text throws(ControlError) in
            guard let path = Path(pathText: text) else {
                throw ControlError(.notFound, "cannot find \(row.subject) '\(text)'")
            }
            return try await handler(path, try await Self.input(Input.self, of: request, row), request)
        }
    }

    private mutating func attach(_ row: EndpointRow, _ handler: @escaping Handler) {
        let old = handlers.updateValue(handler, forKey: Self.key(row))
        precondition(old == nil, "two handlers for \(row.path)")
    }

    /// Returns the handler of an endpoint.
    package func handler(of row: EndpointRow) throws(ControlError) -> Handler {
        guard let handler = handlers[Self.key(row)] else {
            throw ControlError(.internal, "cannot handle '\(row.path)'")
        }
        return handler
    }

    private static func key(_ row: EndpointRow) -> String { row.method.rawValue + " " + row.path }

    /// Decodes and checks the input of a request. Throws if an endpoint without query parameters receives a
    /// query.
    private static func input<Input: WireRequest>(
        _ type: Input.Type, of request: Request, _ row: EndpointRow
    ) async throws(ControlError) -> Input {
        guard row.takesBody else {
            return try QueryReader.decode(type, from: request.uri.query).checked()
        }
        _ = try QueryReader.decode(NoInput.self, from: request.uri.query)
        return try await RequestBodyReader.decodeStrictly(type, from: request).checked()
    }
}
