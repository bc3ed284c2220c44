/// A folder on an FTP server.
public struct FTPSettings: Hashable, Sendable {
    /// How the connection is encrypted.
    public enum Encryption: String, Hashable, Sendable, CaseIterable {
        /// Not at all: user, password and photos can be read on the way.
        case none
        /// `AUTH TLS` after connecting, for both channels.
        case explicit
        /// From the first byte on, usually port 990.
        case implicit
    }

    /// Name or address of the server.
    public var host: String
    /// Its port; `nil` for the usual one.
    public var port: Int?
    /// How the connection is encrypted.
    public var encryption: Encryption
    /// Folder below the login folder, or from the top when it begins with `/`; empty for the login folder.
    public var path: String
    /// Who we are.
    public var user: String
    /// And how we prove it.
    public var password: Secret
    /// Connections at once. Many servers take few, and some lose data connections of parallel TLS sessions.
    public var connections: Int
    /// TLS 1.3 is off unless asked for: servers were seen to cut files without either side noticing.
    public var allowsTLS13: Bool
    /// How the copy is verified.
    public var verification: Verification
    /// Trust, patience and speed; the proxy is not used.
    public var connection: ConnectionSettings

    /// Creates settings.
    public init(
        host: String, port: Int? = nil, encryption: Encryption = .explicit, path: String = "", user: String,
        password: Secret, connections: Int = 1, allowsTLS13: Bool = false,
        verification: Verification = .automatic,
        connection: ConnectionSettings = ConnectionSettings()
    ) {
        self.host = host
        self.port = port
        self.encryption = encryption
        self.path = path
        self.user = user
        self.password = password
        self.connections = connections
        self.allowsTLS13 = allowsTLS13
        self.verification = verification
        self.connection = connection
    }
}
