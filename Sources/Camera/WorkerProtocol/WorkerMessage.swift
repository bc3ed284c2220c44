public import FoundationEssentials

/// The message format between daemon and worker: a 4-byte big-endian length and a body of that length. The
/// body is JSON, a heartbeat in a short text format, or a live-view frame.
public enum WorkerMessage {
    /// The common version of commands, events and framing. Daemon and worker must use the same version.
    public static let protocolVersion = 13
    /// The maximum size of a body, in bytes. A `listed` event with 4,000 objects fits. The limit bounds the
    /// memory that the receiver allocates for the message of a faulty peer.
    public static let maximumBytes = 4 * 1024 * 1024
    /// The size of the length prefix, in bytes.
    public static let prefixBytes = 4

    /// Encodes a command as one message.
    public static func encode(_ command: WorkerCommand) throws(WorkerMessageError) -> Data {
        try message(json(command))
    }

    /// Encodes an event as one message.
    public static func encode(_ event: WorkerEvent) throws(WorkerMessageError) -> Data {
        switch event {
        case .heartbeat(let heartbeat): try message(Data(heartbeat.body))
        case .frame(let id, let picture): try message(picture.body(id: id))
        default: try message(json(event))
        }
    }

    private static func json(_ value: some Encodable) throws(WorkerMessageError) -> Data {
        do { return try JSONEncoder().encode(value) } catch {
            throw .notEncodable(String(describing: error))
        }
    }

    private static func message(_ body: Data) throws(WorkerMessageError) -> Data {
        guard body.count <= maximumBytes else { throw .tooLong(body.count) }
        var message = Data(capacity: prefixBytes + body.count)
        withUnsafeBytes(of: UInt32(body.count).bigEndian) { message.append(contentsOf: $0) }
        message.append(body)
        return message
    }

    /// Decodes the length prefix.
    ///
    /// - Parameter prefix: The length prefix, exactly four bytes.
    /// - Throws: ``WorkerMessageError/tooLong(_:)`` if the peer announces more than ``maximumBytes``.
    public static func bodyLength(prefix: some Collection<UInt8>) throws(WorkerMessageError) -> Int {
        let length = prefix.reduce(0) { $0 << 8 | Int($1) }
        guard length <= maximumBytes else { throw .tooLong(length) }
        return length
    }

    /// Decodes a message body as an event.
    ///
    /// - Throws: ``WorkerMessageError/beyondLimits(_:)`` if a value exceeds ``WorkerLimits``. Only a
    ///   compromised worker exceeds the limits.
    public static func decodeEvent(from body: Data) throws(WorkerMessageError) -> WorkerEvent {
        let event: WorkerEvent
        if let heartbeat = WorkerHeartbeat(body: body) {
            event = .heartbeat(heartbeat)
        } else if let (id, picture) = LiveFrame.decode(body) {
            event = .frame(id: id, picture)
        } else {
            event = try decode(WorkerEvent.self, from: body)
            // These events have their own format and must not be sent as JSON.
            switch event {
            case .heartbeat, .frame: throw .notUnderstood("a \(event.caseName) in JSON")
            default: break
            }
        }
        guard event == event.reducedToLimits else { throw .beyondLimits(event.caseName) }
        return event
    }

    /// Decodes a message body as a command.
    public static func decodeCommand(from body: Data) throws(WorkerMessageError) -> WorkerCommand {
        try decode(WorkerCommand.self, from: body)
    }

    /// Decodes JSON. This function is private. Other code must decode events with ``decodeEvent(from:)``,
    /// because heartbeats and frames are not JSON.
    private static func decode<Message: Decodable>(
        _ type: Message.Type, from body: Data
    ) throws(WorkerMessageError) -> Message {
        do { return try JSONDecoder().decode(type, from: body) } catch {
            throw .notUnderstood(String(describing: error))
        }
    }
}

/// An error of sending or reading a message. The link between daemon and worker is then unusable.
public enum WorkerMessageError: Error, Hashable, Sendable {
    /// The message exceeds the size limit. The value is its size, in bytes.
    case tooLong(Int)
    /// The message can't be encoded.
    case notEncodable(String)
    /// The body is not a message of this protocol.
    case notUnderstood(String)
    /// An event of this type contains a number, a text or a list that exceeds ``WorkerLimits``.
    case beyondLimits(String)
}
