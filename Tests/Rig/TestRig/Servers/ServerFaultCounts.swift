public import Foundation

/// The requests and byte counts that a server with ``ServerFaultRule`` records.
///
/// ``lift()`` disables the rules.
public struct ServerFaultCounts {
    /// A request that the server handled.
    public struct Request: Decodable, Hashable {
        /// The request's verb.
        public var verb: String
        /// The name in the request.
        public var name: String
        /// The size of the request's body, in bytes.
        public var bytes: Int
        /// The status, `drop`, `reset` or `cut`; may be empty for an FTP or SFTP server.
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

    /// The number of received bytes in bodies, data connections and writes.
    public var bytesReceived: Int {
        requests.filter { ![Self.broken, Self.kept].contains($0.verb) }.reduce(0) { $0 + $1.bytes }
    }

    /// The number of bytes in transfers that the server interrupted, up to the interruption.
    public var bytesBroken: Int { bytes(of: Self.broken) }

    /// The part of ``bytesBroken`` that the server has stored.
    public var bytesKept: Int { bytes(of: Self.kept) }

    private static let (broken, kept) = ("broken", "kept")

    private func bytes(of verb: String) -> Int {
        requests.filter { $0.verb == verb }.reduce(0) { $0 + $1.bytes }
    }

    /// Disables all rules of the running server.
    public func lift() throws { try Data().write(to: folder.appending(path: "lifted")) }
}
