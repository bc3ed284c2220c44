/// The settings of a folder on an FTP server.
public struct FTPSettings: Hashable, Sendable {
    /// The encryption of the connection.
    public enum Encryption: String, Hashable, Sendable, CaseIterable {
        /// No encryption. Other computers on the network can read the user name, the password and the photos.
        case none
        /// TLS after the connection (`AUTH TLS`), for the control and data connections.
        case explicit
        /// TLS from the first byte, usually on port 990.
        case implicit
    }

    /// The host name or IP address of the server.
    public var host: String
    /// The port, or `nil` for the default port.
    public var port: Int?
    /// The encryption of the connection.
    public var encryption: Encryption
    /// The folder. A path that starts with `/` is absolute. Other paths are relative to the login folder, and
    /// an empty path is the login folder.
    public var path: String
    /// The user name for the login.
    public var user: String
    /// The password for the login.
    public var password: Secret
    /// The largest number of connections. Many servers allow only a few connections, and some servers lose
    /// data connections of parallel TLS sessions.
    public var connections: Int
    /// Whether to allow TLS 1.3. The default is `false`, because servers truncated files over TLS 1.3 without
    /// an error.
    public var allowsTLS13: Bool
    /// The method that verifies a copy.
    public var verification: Verification
    /// The trust, time limits and speed. The proxy is ignored.
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
