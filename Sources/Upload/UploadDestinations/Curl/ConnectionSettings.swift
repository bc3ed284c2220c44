/// How a destination on libcurl is reached: trust, proxy, patience and speed.
public struct ConnectionSettings: Hashable, Sendable {
    /// PEM file of the authorities that may vouch for the server; `nil` for the system's.
    public var caFile: String?
    /// Takes any certificate. Only for a destination that says so by name: what is sent may be read and changed by
    /// anybody on the way.
    public var insecure: Bool
    /// Proxy, for example `http://proxy.studio:3128`; `nil` for none. The environment is never asked.
    public var proxy: String?
    /// Longest time for name look-up, connection and TLS, in seconds.
    public var connectSeconds: Int
    /// Gives up when next to nothing moved for so many seconds, the server's thinking time included.
    public var stallSeconds: Int
    /// Most bytes a second, shared by all of the destination's transfers; `nil` for no limit.
    public var bytesPerSecond: UInt64?

    /// Creates settings.
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

/// How the copy at a destination without checksums of its own is verified.
public enum Verification: String, Hashable, Sendable, CaseIterable {
    /// A checksum where the server offers one; else the size over TLS, and without TLS, where nothing protects the
    /// bytes on their way, the copy is read back.
    case automatic
    /// The size only, unless the server offers a checksum.
    case size
    /// The copy is always read back and compared.
    case readBack = "read-back"

    /// Whether to read back what has no checksum.
    func readsBack(encrypted: Bool) -> Bool {
        self == .readBack || (self == .automatic && !encrypted)
    }
}

/// Who we are for an HTTP server.
public enum HTTPCredentials: Hashable, Sendable {
    /// Nobody.
    case none
    /// Name and password; `digest` for servers that only take Digest authentication.
    case password(user: String, password: Secret, digest: Bool = false)
    /// A bearer token.
    case bearer(Secret)
    /// A secret in a header of its own.
    case header(name: String, Secret)
}
