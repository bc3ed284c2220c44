public import Foundation

/// The requests and bytes that a server with ``NastyRule`` counted, and the switch that lifts its rules.
public struct NastyCounts {
    /// A request that the server answered.
    public struct Request: Decodable, Hashable {
        /// The request's verb.
        public var verb: String
        /// The name that it was for.
        public var name: String
        /// The bytes that came with it.
        public var bytes: Int
        /// The status, `drop` or `cut`.
        public var answer: String
    }

    private let folder: URL

    /// - Parameter top: The server's folder.
    public init(in top: URL) { folder = top.appending(path: "counts") }

    /// The requests, in order.
    public var requests: [Request] {
        let text = try? String(contentsOf: folder.appending(path: "requests"), encoding: .utf8)
        return (text ?? "").split(separator: "\n").compactMap {
            try? JSONDecoder().decode(Request.self, from: Data($0.utf8))
        }
    }

    /// Bytes of bodies, data connections and writes.
    public var bytesReceived: Int { requests.reduce(0) { $0 + $1.bytes } }

    /// Lifts every rule of the running server.
    public func lift() throws { try Data().write(to: folder.appending(path: "lifted")) }
}
