public import FoundationEssentials

/// The wire between daemon and worker: a 4-byte big-endian length, then that many bytes of JSON, a pulse's few
/// words, or a frame of live view.
public enum WorkerFrame {
    /// Version of commands, events and framing together. Daemon and worker must agree.
    public static let protocolVersion = 10
    /// Longest frame that either side accepts, in bytes: room for a 4,000-object listing part, far below memory
    /// that a sick peer could make the other side take.
    public static let maximumBytes = 4 * 1024 * 1024
    /// Most objects in one `listed` event, so that a listing stays well under ``maximumBytes``.
    public static let objectsPerListing = 500
    /// Bytes of the length prefix.
    public static let prefixBytes = 4

    /// Encodes a command as one frame.
    public static func encode(_ command: WorkerCommand) throws(WorkerFrameError) -> Data {
        try frame(json(command))
    }

    /// Encodes an event as one frame.
    public static func encode(_ event: WorkerEvent) throws(WorkerFrameError) -> Data {
        switch event {
        case .pulse(let pulse): try frame(Data(pulse.body))
        case .frame(let id, let picture): try frame(picture.body(id: id))
        default: try frame(json(event))
        }
    }

    private static func json(_ message: some Encodable) throws(WorkerFrameError) -> Data {
        do { return try JSONEncoder().encode(message) } catch {
            throw .notEncodable(String(describing: error))
        }
    }

    private static func frame(_ body: Data) throws(WorkerFrameError) -> Data {
        guard body.count <= maximumBytes else { throw .tooLong(body.count) }
        var frame = Data(capacity: prefixBytes + body.count)
        withUnsafeBytes(of: UInt32(body.count).bigEndian) { frame.append(contentsOf: $0) }
        frame.append(body)
        return frame
    }

    /// Reads the length prefix.
    ///
    /// - Parameter prefix: exactly four bytes.
    /// - Throws: ``WorkerFrameError/tooLong(_:)`` when the peer announces more than ``maximumBytes``.
    public static func bodyLength(prefix: some Collection<UInt8>) throws(WorkerFrameError) -> Int {
        let length = prefix.reduce(0) { $0 << 8 | Int($1) }
        guard length <= maximumBytes else { throw .tooLong(length) }
        return length
    }

    /// Decodes one frame's body as an event, which must be within ``WorkerLimits``.
    ///
    /// - Throws: ``WorkerFrameError/beyondLimits(_:)`` for what no honest worker says.
    public static func decodeEvent(from body: Data) throws(WorkerFrameError) -> WorkerEvent {
        let event: WorkerEvent
        if let pulse = WorkerPulse(body: body) {
            event = .pulse(pulse)
        } else if let (id, picture) = LiveFrame.read(body) {
            event = .frame(id: id, picture)
        } else {
            event = try decode(WorkerEvent.self, from: body)
            // They have one form.
            switch event {
            case .pulse, .frame: throw .notUnderstood("a \(event.word) in JSON")
            default: break
            }
        }
        guard event == event.fitted else { throw .beyondLimits(event.word) }
        return event
    }

    /// Decodes one frame's body as a command.
    public static func decodeCommand(from body: Data) throws(WorkerFrameError) -> WorkerCommand {
        try decode(WorkerCommand.self, from: body)
    }

    /// Not for others: a pulse is no JSON, and only ``decodeEvent(from:)`` reads every event.
    private static func decode<Message: Decodable>(
        _ type: Message.Type, from body: Data
    ) throws(WorkerFrameError) -> Message {
        do { return try JSONDecoder().decode(type, from: body) } catch {
            throw .notUnderstood(String(describing: error))
        }
    }
}

/// Why a frame cannot be sent or read. The link is of no use after that.
public enum WorkerFrameError: Error, Hashable, Sendable {
    /// A frame of this many bytes is over the limit.
    case tooLong(Int)
    /// The message cannot be encoded.
    case notEncodable(String)
    /// The body is not a message of this protocol.
    case notUnderstood(String)
    /// An event of this kind holds a number, a text or a list beyond ``WorkerLimits``.
    case beyondLimits(String)
}
