import FrameFastAPI

/// Reads a query string strictly: an unknown, repeated or unreadable parameter is an error that says so.
struct QueryReader {
    private var values: [String: String] = [:]

    init(_ query: String?, allowed: [String]) throws(ControlError) {
        for pair in (query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentCoding.decode(parts[0]),
                let value = PercentCoding.decode(parts.count == 2 ? parts[1] : "")
            else {
                throw ControlError(
                    .badRequest, "cannot read the query: '\(pair)' is not percent-encoded UTF-8")
            }
            guard allowed.contains(name) else {
                let choice = allowed.isEmpty ? "takes none" : "takes " + allowed.joined(separator: ", ")
                throw ControlError(
                    .badRequest, "cannot read the query: no parameter '\(name)', this path \(choice)")
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw ControlError(.badRequest, "cannot read the query: '\(name)' is given twice")
            }
        }
    }

    func text(_ name: String) -> String? { values[name] }

    func number(_ name: String, in range: ClosedRange<Int64>) throws(ControlError) -> Int64? {
        guard let text = values[name] else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            throw ControlError(
                .badRequest,
                "cannot read the query: '\(name)' is a number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }
}

extension CapturesQuery {
    /// Reads the query string of `GET /v1/captures`.
    init(queryString: String?) throws(ControlError) {
        let query = try QueryReader(queryString, allowed: ["limit", "cursor", "session", "camera", "state"])
        let limit = try query.number("limit", in: 1...Int64(Self.limitMax))
        self.init(
            limit: limit.map(Int.init) ?? Self.limitDefault,
            cursor: query.text("cursor"),
            session: try query.number("session", in: 1...Int64.max),
            camera: query.text("camera"),
            state: query.text("state").map(CaptureReply.State.init(rawValue:)))
    }
}
