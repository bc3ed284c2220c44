import FrameFastAPI
import TextForms

/// A request as HTTP/1.1.
struct RequestText {
    /// What is sent.
    let bytes: [UInt8]
    /// Longest silence that the endpoint asks for, in seconds; 0 when it asks for none.
    let patienceSeconds: Int

    /// Writes a request: what is given goes into the query or the body, as the endpoint says.
    init<Path: PathValue, Input: WireRequest, Reply: Sendable>(
        _ endpoint: KeyPath<Endpoints, Endpoint<Path, Input, Reply>>, _ path: Path, _ input: Input
    ) throws(ClientError) {
        let row = Endpoints.catalogue[keyPath: endpoint].row
        var query: [(name: String, value: String)] = []
        var body: [UInt8]?
        do {
            if row.takesQuery { query = try QueryValue.pairs(of: input) }
            if row.takesBody { body = Array(try WireCoder.encode(input)) }
        } catch { throw .notUnderstood("\(error)") }
        bytes = Self.bytes(
            method: row.method.rawValue, path: row.path(path.pathText), query: query, body: body)
        patienceSeconds = row.patienceSeconds ?? 0
    }

    /// - Parameters:
    ///   - path: Encoded path without query.
    ///   - query: Names and values, not encoded yet.
    ///   - body: JSON; `nil` for none.
    static func bytes(
        method: String, path: String, query: [(name: String, value: String)] = [], body: [UInt8]? = nil
    ) -> [UInt8] {
        let pairs = query.map { $0.name + "=" + PercentCoding.encode($0.value) }
        let target = pairs.isEmpty ? path : path + "?" + pairs.joined(separator: "&")
        var head = "\(method) \(target) HTTP/1.1\r\nHost: framefast\r\nConnection: close\r\n"
        if let body { head += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n" }
        return Array((head + "\r\n").utf8) + (body ?? [])
    }
}

extension EndpointRow {
    /// The path with what varies filled in, encoded.
    func path(_ value: String) -> String {
        guard takesPath, let open = path.firstIndex(of: "{"), let close = path.firstIndex(of: "}") else {
            return path
        }
        return path[..<open] + PercentCoding.encode(value) + path[path.index(after: close)...]
    }
}
