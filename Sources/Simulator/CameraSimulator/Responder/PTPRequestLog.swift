/// What clients asked for since the log was read last, and what they were answered.
struct PTPRequestLog: Sendable {
    private struct Entry: Sendable {
        var request: PTPRequest
        var response: PTPResponse
        var ns: Int64
    }

    private var entries: [Entry] = []
    /// Operations that the log had no room for, since it was read last.
    private var dropped = 0

    /// An hour of a client that asks five times a second. The newest are kept.
    static let entriesMax = 20_000
    /// All of any setting's data.
    private static let dataBytesMax = 64

    mutating func add(_ request: PTPRequest, _ response: PTPResponse, at now: WallTime) {
        // Half of the room is emptied at a time: an entry costs the same whether there is room or not.
        if entries.count == Self.entriesMax {
            entries.removeFirst(Self.entriesMax / 2)
            dropped += Self.entriesMax / 2
        }
        var request = request
        request.data = Array(request.data.prefix(Self.dataBytesMax))
        entries.append(Entry(request: request, response: response, ns: now.monotonicNs))
    }

    /// A line of JSON for each operation, oldest first; one in front says how many are missing. The log is empty afterwards.
    mutating func take() -> [String] {
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
