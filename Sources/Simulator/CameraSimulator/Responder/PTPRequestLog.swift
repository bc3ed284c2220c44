/// A log of the client requests and their responses since the last call of ``drain()``.
struct PTPRequestLog: Sendable {
    private struct Entry: Sendable {
        var request: PTPRequest
        var response: PTPResponse
        var ns: Int64
    }

    private var entries: [Entry] = []
    /// The number of requests that were dropped from the log since the last call of ``drain()``.
    private var dropped = 0

    /// The maximum number of entries, which suffices for an hour with five requests per second. The log keeps
    /// the newest entries.
    static let entriesMax = 20_000
    /// The maximum number of logged data bytes. This limit covers the data of any setting.
    private static let dataBytesMax = 64

    mutating func add(_ request: PTPRequest, _ response: PTPResponse, at now: WallTime) {
        // Dropping half of the log at once keeps the average cost of an entry constant.
        if entries.count == Self.entriesMax {
            entries.removeFirst(Self.entriesMax / 2)
            dropped += Self.entriesMax / 2
        }
        var request = request
        request.data = Array(request.data.prefix(Self.dataBytesMax))
        entries.append(Entry(request: request, response: response, ns: now.monotonicNs))
    }

    /// Returns each request as a line of JSON, oldest first, and clears the log. If requests were dropped,
    /// the first line is their number.
    mutating func drain() -> [String] {
        defer { self = PTPRequestLog() }
        let missing = dropped > 0 ? ["{\"dropped\":\(dropped)}"] : []
        return missing
            + entries.map { entry in
                let request = entry.request
                let parameters = request.parameters.map { "\($0)" }.joined(separator: ",")
                return """
                    {"ns":\(entry.ns),"code":"\(Self.hex(request.code))","parameters":[\(parameters)],\
                    "data":"\(request.data.map(Self.hex).joined())","response":"\(Self.hex(entry.response.rawValue))"}
                    """
            }
    }

    private static func hex(_ value: some FixedWidthInteger) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: value.bitWidth / 4 - digits.count) + digits
    }
}
