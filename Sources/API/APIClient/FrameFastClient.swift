public import FoundationEssentials
public import FrameFastAPI

/// Calls the daemon over its Unix socket. Every call blocks its thread, makes one connection and one round trip.
public struct FrameFastClient: Sendable {
    /// Longest silence during a call, in seconds: a trigger may wait for a slow camera.
    public static let callTimeoutSeconds = 30
    /// Longest silence on an event stream, in seconds: more than two heartbeats of the server.
    public static let streamTimeoutSeconds = 40
    /// Largest answer: a page of 1,000 shots is a megabyte and a half.
    public static let answerBytesMax = 16 * 1024 * 1024
    /// Bytes of one read.
    static let readBytes = 64 * 1024

    /// An answer, understood and as it came: what this build does not know survives in ``body``.
    public struct Answer<Value: Sendable>: Sendable {
        /// The answer as a value.
        public var value: Value
        /// The answer's JSON as the daemon sent it.
        public var body: Data
    }

    /// Path of the socket.
    public let socketPath: String
    /// Longest silence during a call, in seconds.
    public var timeoutSeconds = Self.callTimeoutSeconds

    /// Creates a client. Connects with each call, not before.
    public init(socketPath: String) {
        self.socketPath = socketPath
    }

    /// Asks an endpoint that takes an id and something more.
    public func call<Path: PathValue, Input: WireRequest, Reply: WireValue>(
        _ endpoint: KeyPath<Endpoints, Endpoint<Path, Input, Reply>>, _ path: Path, _ input: Input
    ) throws(ClientError) -> Answer<Reply> {
        let data = try fetch(RequestText(endpoint, path, input))
        do { return Answer(value: try WireCoder.decode(Reply.self, from: data), body: data) } catch {
            throw .notUnderstood("\(error)")
        }
    }

    /// Asks an endpoint that takes an id.
    public func call<Path: PathValue, Reply: WireValue>(
        _ endpoint: KeyPath<Endpoints, Endpoint<Path, NoInput, Reply>>, _ path: Path
    ) throws(ClientError) -> Answer<Reply> {
        try call(endpoint, path, NoInput())
    }

    /// Asks an endpoint that takes something.
    public func call<Input: WireRequest, Reply: WireValue>(
        _ endpoint: KeyPath<Endpoints, Endpoint<NoPath, Input, Reply>>, _ input: Input
    ) throws(ClientError) -> Answer<Reply> {
        try call(endpoint, NoPath(), input)
    }

    /// Asks an endpoint that takes nothing.
    public func call<Reply: WireValue>(
        _ endpoint: KeyPath<Endpoints, Endpoint<NoPath, NoInput, Reply>>
    ) throws(ClientError) -> Answer<Reply> {
        try call(endpoint, NoPath(), NoInput())
    }

    /// The bytes of a text.
    public func text<Reply: WireText>(
        of endpoint: KeyPath<Endpoints, Endpoint<NoPath, NoInput, Reply>>
    ) throws(ClientError) -> Data {
        try fetch(RequestText(endpoint, NoPath(), NoInput()))
    }

    func fetch(_ request: RequestText) throws(ClientError) -> Data {
        var data = Data()
        var isComplete = false
        var tooLong = false
        let status = try exchange(request) { part throws(ClientError) in
            switch part {
            case .head: break
            case .body(let bytes):
                data.append(contentsOf: bytes)
                tooLong = data.count > Self.answerBytesMax
            case .end: isComplete = true
            }
            return !isComplete && !tooLong
        }
        guard !tooLong else { throw .notUnderstood("an answer of more than \(Self.answerBytesMax) bytes") }
        try Self.check(status: status, body: data)
        return data
    }

    /// Sends a request and hands over the parts of the response until `handle` says false or the stream ends.
    ///
    /// - Returns: The status.
    @discardableResult
    func exchange(
        _ request: RequestText, timeoutSeconds: Int? = nil,
        handle: (ResponseParser.Part) throws(ClientError) -> Bool
    ) throws(ClientError) -> Int {
        let patience = max(timeoutSeconds ?? self.timeoutSeconds, request.patienceSeconds)
        let socket = try UnixSocket.connect(to: socketPath, timeoutSeconds: patience)
        try socket.send(request.bytes)
        var parser = ResponseParser()
        var buffer = [UInt8](repeating: 0, count: Self.readBytes)
        var status: Int?
        while true {
            let count = try socket.receive(into: &buffer)
            guard count > 0 else {
                guard let status, parser.finish() else { throw .cutShort }
                return status
            }
            let parts: [ResponseParser.Part]
            do { parts = try parser.feed(buffer[..<count]) } catch { throw .notUnderstood("\(error)") }
            for part in parts {
                if case .head(let head) = part { status = head.status }
                if try !handle(part), let status { return status }
            }
        }
    }

    static func check(status: Int, body: Data) throws(ClientError) {
        guard !(200...299).contains(status) else { return }
        guard let reply = try? WireCoder.decode(ErrorReply.self, from: body) else {
            throw .notUnderstood("status \(status) without a reason")
        }
        throw .refused(reply.error)
    }
}
