/// The settings of a folder on an FTP server.
public struct FTPSettings: Hashable, Sendable {
    /// The encryption of the connection.
    public enum Encryption: String, Hashable, Sendable, CaseIterable {
        /// No encryption: others can read the user, password and photos in transit.
        case none
        /// `AUTH TLS` after connecting, for the control and data connections.
        case explicit
        /// TLS from the first byte, usually on port 990.
        case implicit
    }

    /// The name or address of the server.
    public var host: String
    /// The port, or `nil` for the default port.
    public var port: Int?
    /// The encryption of the connection.
    public var encryption: Encryption
    /// The folder, relative to the login folder, or absolute if it starts with `/`. Empty for the login
    /// folder.
    public var path: String
    /// The user name for the login.
    public var user: String
    /// The password for the login.
    public var password: Secret
    /// The most connections at once. Many servers allow few, and some lose data connections of parallel TLS
    /// sessions.
    public var connections: Int
    /// Whether TLS 1.3 is allowed. Off by default: with TLS 1.3, servers truncated files without either side
    /// noticing.
    public var allowsTLS13: Bool
    /// The way to verify a copy.
    public var verification: Verification
    /// The trust, time limits and speed. The proxy setting is ignored.
    public var connection: ConnectionSettings

    /// Creates the settings of an FTP destination.
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
