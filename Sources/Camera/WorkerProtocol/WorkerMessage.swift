public import FoundationEssentials

/// The message format between daemon and worker: a 4-byte big-endian length, then a body of that many bytes.
/// The body is JSON, a pulse in a short text form, or a live-view frame.
public enum WorkerMessage {
    /// The version of commands, events and framing together. Daemon and worker must agree.
    public static let protocolVersion = 10
    /// The largest body that either side accepts, in bytes. A listing part of 4,000 objects fits. It limits
    /// the memory that a faulty peer can make the other side allocate.
    public static let maximumBytes = 4 * 1024 * 1024
    /// The maximum number of objects in one `listed` event, so that it stays well under ``maximumBytes``.
    public static let objectsPerListing = 500
    /// The size of the length prefix, in bytes.
    public static let prefixBytes = 4

    /// Encodes a command as one message.
    public static func encode(_ command: WorkerCommand) throws(WorkerMessageError) -> Data {
        try message(json(command))
    }

    /// Encodes an event as one message.
    public static func encode(_ event: WorkerEvent) throws(WorkerMessageError) -> Data {
        switch event {
        case .pulse(let pulse): try message(Data(pulse.body))
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
    /// - Parameter prefix: Exactly four bytes.
    /// - Throws: ``WorkerMessageError/tooLong(_:)`` if the peer announces more than ``maximumBytes``.
    public static func bodyLength(prefix: some Collection<UInt8>) throws(WorkerMessageError) -> Int {
        let length = prefix.reduce(0) { $0 << 8 | Int($1) }
        guard length <= maximumBytes else { throw .tooLong(length) }
        return length
    }

    /// Decodes a message body as an event, which must be within ``WorkerLimits``.
    ///
    /// - Throws: ``WorkerMessageError/beyondLimits(_:)`` if a value is beyond the limits. Only a compromised
    ///   worker sends such a value.
    public static func decodeEvent(from body: Data) throws(WorkerMessageError) -> WorkerEvent {
        let event: WorkerEvent
        if let pulse = WorkerPulse(body: body) {
            event = .pulse(pulse)
        } else if let (id, picture) = LiveFrame.decode(body) {
            event = .frame(id: id, picture)
        } else {
            event = try decode(WorkerEvent.self, from: body)
            // These events have their own format and never arrive as JSON.
            switch event {
            case .pulse, .frame: throw .notUnderstood("a \(event.caseName) in JSON")
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

    /// Decodes JSON. Private because only ``decodeEvent(from:)`` handles every event: a pulse and a frame are
    /// not JSON.
    private static func decode<Message: Decodable>(
        _ type: Message.Type, from body: Data
    ) throws(WorkerMessageError) -> Message {
        do { return try JSONDecoder().decode(type, from: body) } catch {
            throw .notUnderstood(String(describing: error))
        }
    }
}

/// The reason why a message can't be sent or read. The connection between daemon and worker is unusable
/// afterwards.
public enum WorkerMessageError: Error, Hashable, Sendable {
    /// The message has this many bytes, which is over the limit.
    case tooLong(Int)
    /// The message cannot be encoded.
    case notEncodable(String)
    /// The body is not a message of this protocol.
    case notUnderstood(String)
    /// An event of this kind contains a number, a text or a list beyond ``WorkerLimits``.
    case beyondLimits(String)
}
