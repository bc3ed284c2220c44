/// The connection options of a destination that uses libcurl: trust, proxy, time limits and speed.
public struct ConnectionSettings: Hashable, Sendable {
    /// The PEM file of trusted certificate authorities, or `nil` for the system's authorities.
    public var caFile: String?
    /// Whether to accept any certificate. Off unless the destination's settings turn it on: anyone on the
    /// network path could read and change the bytes.
    public var insecure: Bool
    /// The proxy, for example `http://proxy.studio:3128`, or `nil` for a direct connection. Environment
    /// variables are ignored.
    public var proxy: String?
    /// The time limit for name look-up, connection and TLS handshake, in seconds.
    public var connectSeconds: Int
    /// The longest stall before a transfer fails, in seconds. The server's processing time counts as a stall.
    public var stallSeconds: Int
    /// The most bytes a second, shared by all transfers of the destination, or `nil` for no limit.
    public var bytesPerSecond: UInt64?

    /// Creates connection settings.
    public init(
        caFile: String? = nil, insecure: Bool = false, proxy: String? = nil, connectSeconds: Int = 10,
        stallSeconds: Int = 30, bytesPerSecond: UInt64? = nil
    ) {
        self.caFile = caFile
        self.insecure = insecure
        self.proxy = proxy
        self.connectSeconds = connectSeconds
        self.stallSeconds = stallSeconds
        self.bytesPerSecond = bytesPerSecond
    }
}

/// The way to verify a copy at a destination that offers no checksums.
public enum Verification: String, Hashable, Sendable, CaseIterable {
    /// A checksum if the server offers one. Otherwise the size over TLS, or a read-back without TLS, where
    /// nothing protects the bytes in transit.
    case automatic
    /// The size only, unless the server offers a checksum.
    case size
    /// Always a read-back that is compared with the photo.
    case readBack = "read-back"

    /// Whether to read back a copy that has no checksum.
    func readsBack(encrypted: Bool) -> Bool {
        self == .readBack || (self == .automatic && !encrypted)
    }
}

/// The credentials for an HTTP server.
public enum HTTPCredentials: Hashable, Sendable {
    /// No credentials.
    case none
    /// A user name and password. `digest` selects Digest authentication, for servers that accept nothing
    /// else.
    case password(user: String, password: Secret, digest: Bool = false)
    /// A bearer token.
    case bearer(Secret)
    /// A secret in a custom header.
    case header(name: String, Secret)
}
