/// The connection options of a destination that uses libcurl: trust, proxy, time limits and speed.
struct ConnectionSettings: Hashable, Sendable {
    /// The PEM file of trusted certificate authorities, or `nil` for the system's authorities.
    var caFile: String?
    /// Whether to accept any certificate. With `true`, other computers on the network path can read and
    /// change the data.
    var insecure = false
    /// The proxy, for example `http://proxy.studio:3128`, or `nil` for a direct connection. Proxies in
    /// environment variables are ignored.
    var proxy: String?
    /// The time limit for name resolution, connection and TLS handshake, in seconds.
    var connectSeconds = 10
    /// The longest stall before a transfer fails, in seconds. Waiting for the server's response counts as a
    /// stall. After a large body, the wait may be longer (``responseSeconds(afterBytes:)``).
    var stallSeconds = 30
    /// The bandwidth limit in bytes per second, shared by all transfers of the destination. `nil` means no
    /// limit.
    var bytesPerSecond: UInt64?

    /// The expected speed at which a server or proxy copies a received body, in bytes per second.
    private static let copiedBytesPerSecond: UInt64 = 5_000_000
    /// The longest time for this copy, in seconds. With this limit, the wait ends before the runner stops an
    /// upload that has sent all bytes.
    private static let copySecondsMax: UInt64 = 480

    /// Returns the longest stall after the last byte of a body, in seconds. Some servers and proxies copy the
    /// complete body before they respond.
    func responseSeconds(afterBytes bytes: UInt64) -> Int {
        stallSeconds + Int(min(bytes / Self.copiedBytesPerSecond, Self.copySecondsMax))
    }
}

/// The method that verifies a copy if the server reports no checksum.
enum Verification: String, Hashable, Sendable, CaseIterable {
    /// Compares the size if the connection uses TLS. Otherwise reads the copy back, because nothing protects
    /// the bytes in transit.
    case automatic
    /// Compares the size.
    case size
    /// Reads the copy back and compares it with the photo.
    case readBack = "read-back"

    /// Returns whether to read back a copy without a checksum.
    func readsBack(encrypted: Bool) -> Bool {
        self == .readBack || (self == .automatic && !encrypted)
    }
}

/// The credentials for an HTTP server.
enum HTTPCredentials: Hashable, Sendable {
    /// No credentials.
    case none
    /// A user name and password. `digest` selects Digest authentication, for servers that accept no other
    /// method.
    case password(user: String, password: Secret, digest: Bool = false)
    /// A bearer token.
    case bearer(Secret)
    /// A secret in a custom header.
    case header(name: String, Secret)
}
