import FrameFastAPI

/// Writes a request as HTTP/1.1.
enum RequestText {
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

extension Route {
    /// The path with its parameter filled in, encoded.
    func path(_ parameter: String? = nil) -> String {
        guard let parameter, let open = row.path.firstIndex(of: "{"), let close = row.path.firstIndex(of: "}")
        else { return row.path }
        return row.path[..<open] + PercentCoding.encode(parameter) + row.path[row.path.index(after: close)...]
    }
}
