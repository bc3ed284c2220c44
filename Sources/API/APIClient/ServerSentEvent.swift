/// One event of a `text/event-stream`.
public struct ServerSentEvent: Hashable, Sendable {
    /// The `id:` line, or `nil` if the event has no id.
    public var id: String?
    /// The `event:` line, or `message` if the event has no name.
    public var name = "message"
    /// The `data:` lines, joined by line breaks.
    public var data: String
}

/// An incremental parser for server-sent events (WHATWG HTML, 9.2.6). It drops comments.
struct ServerSentEventParser {
    /// The longest line, in bytes. A snapshot of many cameras has tens of kilobytes.
    static let lineBytesMax = 4 * 1024 * 1024

    /// An error for a line that is longer than ``ServerSentEventParser/lineBytesMax``.
    struct LineTooLong: Error, Equatable {}

    private var line: [UInt8] = []
    private var lastWasReturn = false
    private var id: String?
    private var name: String?
    private var data: [String] = []

    /// Appends bytes and returns the events that they complete.
    mutating func feed(_ bytes: some Collection<UInt8>) throws(LineTooLong) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            defer { lastWasReturn = byte == UInt8(ascii: "\r") }
            switch byte {
            case UInt8(ascii: "\n") where lastWasReturn: continue
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                if let event = handleLine() { events.append(event) }
            default:
                guard line.count < Self.lineBytesMax else { throw LineTooLong() }
                line.append(byte)
            }
        }
        return events
    }

    private mutating func handleLine() -> ServerSentEvent? {
        defer { line.removeAll(keepingCapacity: true) }
        guard !line.isEmpty else { return dispatchEvent() }
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
        let field = String(decoding: line[..<(colon ?? line.endIndex)], as: UTF8.self)
        var rest = colon.map { line[($0 + 1)...] } ?? []
        if rest.first == UInt8(ascii: " ") { rest.removeFirst() }
        let value = String(decoding: rest, as: UTF8.self)
        switch field {
        case "id": id = value
        case "event": name = value
        case "data": data.append(value)
        default: break
        }
        return nil
    }

    private mutating func dispatchEvent() -> ServerSentEvent? {
        defer {
            id = nil
            name = nil
            data = []
        }
        guard !data.isEmpty else { return nil }
        return ServerSentEvent(id: id, name: name ?? "message", data: data.joined(separator: "\n"))
    }
}
