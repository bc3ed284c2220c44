public import FoundationEssentials
public import FrameFastAPI

/// A client of the daemon's Unix socket. Each call opens one connection, makes one round trip, and blocks the
/// calling thread.
public struct FrameFastClient: Sendable {
    /// The time without data after which a call fails, in seconds. A shutter release may wait for a slow
    /// camera.
    public static let callTimeoutSeconds = 30
    /// The time without data after which an event stream fails, in seconds. This time is longer than two
    /// heartbeat intervals.
    public static let streamTimeoutSeconds = 40
    /// The largest response, in bytes. A page of 1,000 shots has about 1.5 MB.
    public static let responseBytesMax = 16 * 1024 * 1024
    /// The size of the read buffer, in bytes.
    static let readBytes = 64 * 1024

    /// A decoded reply and its original JSON. ``body`` also contains fields that this build does not know.
    public struct Response<Value: Sendable>: Sendable {
        /// The reply as a value.
        public var value: Value
        /// The JSON of the reply, as the daemon sent it.
        public var body: Data
    }

    /// The path of the socket.
    public let socketPath: String
    /// The time without data after which a call fails, in seconds, unless the endpoint allows a longer time.
    public var timeoutSeconds = Self.callTimeoutSeconds

    /// Creates a client that connects once for each call.
    public init(socketPath: String) {
        self.socketPath = socketPath
    }

    /// Calls an endpoint that takes an id and a request.
    public func call<Path: PathValue, Input: WireRequest, Reply: WireValue>(
        _ endpoint: KeyPath<Endpoints, Endpoint<Path, Input, Reply>>, _ path: Path, _ input: Input
    ) throws(ClientError) -> Response<Reply> {
        let data = try fetch(EncodedRequest(endpoint, path, input))
        do { return Response(value: try WireCoder.decode(Reply.self, from: data), body: data) } catch {
            throw .invalidResponse("\(error)")
        }
    }

    /// Calls an endpoint that takes an id.
    public func call<Path: PathValue, Reply: WireValue>(
        _ endpoint: KeyPath<Endpoints, Endpoint<Path, NoInput, Reply>>, _ path: Path
    ) throws(ClientError) -> Response<Reply> {
        try call(endpoint, path, NoInput())
    }

    /// Calls an endpoint that takes a request.
    public func call<Input: WireRequest, Reply: WireValue>(
        _ endpoint: KeyPath<Endpoints, Endpoint<NoPath, Input, Reply>>, _ input: Input
    ) throws(ClientError) -> Response<Reply> {
        try call(endpoint, NoPath(), input)
    }

    /// Calls an endpoint that takes no arguments.
    public func call<Reply: WireValue>(
        _ endpoint: KeyPath<Endpoints, Endpoint<NoPath, NoInput, Reply>>
    ) throws(ClientError) -> Response<Reply> {
        try call(endpoint, NoPath(), NoInput())
    }

    /// Fetches a text document as bytes.
    public func text<Reply: WireText>(
        of endpoint: KeyPath<Endpoints, Endpoint<NoPath, NoInput, Reply>>
    ) throws(ClientError) -> Data {
        try fetch(EncodedRequest(endpoint, NoPath(), NoInput()))
    }

    func fetch(_ request: EncodedRequest) throws(ClientError) -> Data {
        var data = Data()
        var isComplete = false
        var tooLong = false
        let status = try exchange(request) { part throws(ClientError) in
            switch part {
            case .head: break
            case .body(let bytes):
                data.append(contentsOf: bytes)
                tooLong = data.count > Self.responseBytesMax
            case .end: isComplete = true
            }
            return !isComplete && !tooLong
        }
        guard !tooLong else {
            throw .invalidResponse("a response of more than \(Self.responseBytesMax) bytes")
        }
        try Self.check(status: status, body: data)
        return data
    }

    /// Sends a request and passes the parts of the response to `handle`, until `handle` returns false or the
    /// stream ends.
    ///
    /// - Returns: The HTTP status.
    @discardableResult
    func exchange(
        _ request: EncodedRequest, timeoutSeconds: Int? = nil,
        handle: (ResponseParser.Part) throws(ClientError) -> Bool
    ) throws(ClientError) -> Int {
        let timeout = max(timeoutSeconds ?? self.timeoutSeconds, request.timeoutSeconds)
        let socket = try UnixSocket.connect(to: socketPath, timeoutSeconds: timeout)
        try socket.send(request.bytes)
        var parser = ResponseParser()
        var buffer = [UInt8](repeating: 0, count: Self.readBytes)
        var status: Int?
        while true {
            let count = try socket.receive(into: &buffer)
            guard count > 0 else {
                guard let status, parser.finish() else { throw .connectionClosed }
                return status
            }
            let parts: [ResponseParser.Part]
            do { parts = try parser.feed(buffer[..<count]) } catch { throw .invalidResponse("\(error)") }
            for part in parts {
                if case .head(let head) = part { status = head.status }
                if try !handle(part), let status { return status }
            }
        }
    }

    static func check(status: Int, body: Data) throws(ClientError) {
        guard !(200...299).contains(status) else { return }
        guard let reply = try? WireCoder.decode(ErrorReply.self, from: body) else {
            throw .invalidResponse("status \(status) without a reason")
        }
        throw .refused(reply.error)
    }
}
