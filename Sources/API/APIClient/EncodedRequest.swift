import FrameFastAPI
import TextForms

/// An encoded HTTP/1.1 request.
struct EncodedRequest {
    /// The whole request.
    let bytes: [UInt8]
    /// The time without data after which the client gives up, in seconds. 0 means the client's own timeout.
    let timeoutSeconds: Int

    /// Encodes a request. The endpoint decides whether the input goes into the query or the body.
    init<Path: PathValue, Input: WireRequest, Reply: Sendable>(
        _ endpoint: KeyPath<Endpoints, Endpoint<Path, Input, Reply>>, _ path: Path, _ input: Input
    ) throws(ClientError) {
        let row = Endpoints.catalog[keyPath: endpoint].row
        var query: [(name: String, value: String)] = []
        var body: [UInt8]?
        do {
            if row.takesQuery { query = try QueryValue.pairs(of: input) }
            if row.takesBody { body = Array(try WireCoder.encode(input)) }
        } catch { throw .invalidResponse("\(error)") }
        bytes = Self.bytes(
            method: row.method.rawValue, path: row.path(path.pathText), query: query, body: body)
        timeoutSeconds = row.timeoutSeconds ?? 0
    }

    /// Encodes a request with a `Connection: close` header.
    ///
    /// - Parameters:
    ///   - path: The percent-encoded path without query.
    ///   - query: The query parameters. This function percent-encodes the values.
    ///   - body: JSON, or `nil` for a request without a body.
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
    /// Returns the path with `{…}` replaced by the percent-encoded value.
    func path(_ value: String) -> String {
        guard takesPath, let open = path.firstIndex(of: "{"), let close = path.firstIndex(of: "}") else {
            return path
        }
        return path[..<open] + PercentCoding.encode(value) + path[path.index(after: close)...]
    }
}
