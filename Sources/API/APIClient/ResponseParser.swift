/// An incremental HTTP/1.1 response parser. Bodies may have a Content-Length, be chunked, or end with the
/// stream.
struct ResponseParser {
    /// The maximum size of the status line and headers together, in bytes. The trailers have the same limit.
    static let headBytesMax = 16 * 1024
    /// The longest chunk header, in bytes: 16 hex digits and short extensions.
    static let chunkLineBytesMax = 64

    /// The start of a response.
    struct Head: Equatable {
        var status: Int
        /// Names in lower case. A repeated header keeps its last value.
        var headers: [String: String]
    }

    /// A part of a response.
    enum Part: Equatable {
        case head(Head)
        case body([UInt8])
        /// The end, with the trailers of a chunked body. Names are in lower case.
        case end([String: String])
    }

    /// The number of characters of an invalid status line that an error message quotes.
    private static let quotedMax = 80

    /// A reason why a response cannot be parsed.
    enum Failure: Error, Equatable {
        case headTooLong, badStatusLine(String), badHeader, badLength, badChunk
    }

    private enum State {
        case head
        case counted(left: Int)
        case untilClose
        case chunkSize
        case chunk(left: Int)
        case chunkEnd
        case trailers
        case done
    }

    private var state = State.head
    private var pending: [UInt8] = []
    private var trailers: [String: String] = [:]
    private var trailerBytes = 0

    /// Appends bytes and returns the parts that they complete. Body parts are not buffered.
    mutating func feed(_ bytes: some Collection<UInt8>) throws(Failure) -> [Part] {
        pending += bytes
        var parts: [Part] = []
        while let part = try nextPart(&parts) { parts.append(part) }
        return parts
    }

    /// Marks the end of the stream.
    ///
    /// - Returns: Whether the response is complete.
    mutating func finish() -> Bool {
        switch state {
        case .untilClose, .done: true
        default: false
        }
    }

    /// Parses the next parts. Returns the last of them, or `nil` if more bytes are needed, and appends the
    /// others to `parts`.
    private mutating func nextPart(_ parts: inout [Part]) throws(Failure) -> Part? {
        while true {
            switch state {
            case .head:
                guard let head = try takeHead() else { return nil }
                state = try Self.bodyState(of: head)
                parts.append(.head(head))
                if case .done = state { return .end([:]) }
            case .counted(let left):
                guard let body = readBytes(atMost: left) else { return nil }
                parts.append(.body(body))
                state = body.count == left ? .done : .counted(left: left - body.count)
                if case .done = state { return .end([:]) }
            case .untilClose:
                return readBytes(atMost: .max).map { .body($0) }
            case .chunkSize:
                guard let line = try takeLine(limit: Self.chunkLineBytesMax, or: .badChunk) else {
                    return nil
                }
                let digits = line.prefix { $0 != ";" && $0 != " " }
                guard let size = Int(digits, radix: 16), size >= 0, !digits.hasPrefix("+") else {
                    throw .badChunk
                }
                state = size == 0 ? .trailers : .chunk(left: size)
            case .chunk(let left):
                guard let body = readBytes(atMost: left) else { return nil }
                state = body.count == left ? .chunkEnd : .chunk(left: left - body.count)
                return .body(body)
            case .chunkEnd:
                guard let line = try takeLine(limit: 2, or: .badChunk) else { return nil }
                guard line.isEmpty else { throw .badChunk }
                state = .chunkSize
            case .trailers:
                guard let line = try takeLine(limit: Self.headBytesMax - trailerBytes, or: .headTooLong)
                else { return nil }
                guard line.isEmpty else {
                    trailerBytes += line.utf8.count
                    let (name, value) = try Self.header(line)
                    trailers[name] = value
                    continue
                }
                state = .done
                return .end(trailers)
            case .done:
                pending = []
                return nil
            }
        }
    }

    private mutating func readBytes(atMost count: Int) -> [UInt8]? {
        guard !pending.isEmpty else { return nil }
        let taken = Array(pending.prefix(count))
        pending.removeFirst(taken.count)
        return taken
    }

    /// Removes and returns a line without its CRLF, or returns `nil` if the line is incomplete.
    private mutating func takeLine(limit: Int, or failure: Failure) throws(Failure) -> String? {
        guard let end = pending.firstIndex(of: UInt8(ascii: "\n")) else {
            if pending.count > limit { throw failure }
            return nil
        }
        guard end <= limit else { throw failure }
        var line = pending[..<end]
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        let text = String(decoding: line, as: UTF8.self)
        pending.removeFirst(end + 1)
        return text
    }

    private mutating func takeHead() throws(Failure) -> Head? {
        let mark: [UInt8] = [13, 10, 13, 10]
        var end: Int?
        if pending.count >= mark.count {
            end = (0...(pending.count - mark.count)).first {
                pending[$0..<($0 + mark.count)].elementsEqual(mark)
            }
        }
        guard let end, end <= Self.headBytesMax else {
            if pending.count > Self.headBytesMax { throw .headTooLong }
            return nil
        }
        let text = String(decoding: pending[..<end], as: UTF8.self)
        pending.removeFirst(end + mark.count)
        var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
        let statusLine = (lines.popFirst() ?? "").split(separator: " ", maxSplits: 2)
        guard statusLine.count >= 2, statusLine[0].hasPrefix("HTTP/1."), let status = Int(statusLine[1]),
            (100...599).contains(status)
        else { throw .badStatusLine(String(text.prefix(Self.quotedMax))) }
        var headers: [String: String] = [:]
        for line in lines {
            let (name, value) = try Self.header(line)
            headers[name] = value
        }
        return Head(status: status, headers: headers)
    }

    /// Splits a header into its name, in lower case, and its value.
    private static func header(_ line: some StringProtocol) throws(Failure) -> (name: String, value: String) {
        guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else { throw .badHeader }
        let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        return (line[..<colon].lowercased(), String(value))
    }

    private static func bodyState(of head: Head) throws(Failure) -> State {
        if head.headers["transfer-encoding"]?.lowercased() == "chunked" { return .chunkSize }
        guard let text = head.headers["content-length"] else { return .untilClose }
        guard let length = Int(text), length >= 0 else { throw .badLength }
        return length == 0 ? .done : .counted(left: length)
    }
}
