/// The settings of a folder on an FTP server.
struct FTPSettings: Hashable, Sendable {
    /// The encryption of the connection.
    enum Encryption: String, Hashable, Sendable, CaseIterable {
        /// No encryption. Other computers on the network can read the user name, the password and the photos.
        case none
        /// TLS that starts after connecting (`AUTH TLS`), for the control and data connections.
        case explicit
        /// TLS from the first byte, usually on port 990.
        case implicit
    }

    /// The host name or IP address of the server.
    var host: String
    /// The port, or `nil` for the default port.
    var port: Int?
    /// The encryption of the connection.
    var encryption = Encryption.explicit
    /// The folder. A path that starts with `/` is absolute. Other paths are relative to the login folder, and
    /// an empty path is the login folder.
    var path = ""
    /// The user name for the login.
    var user: String
    /// The password for the login.
    var password: Secret
    /// The largest number of connections. Many servers allow only a few connections, and some servers lose
    /// data connections of parallel TLS sessions.
    var connections = 1
    /// Whether to allow TLS 1.3. The default is `false`, because servers truncated files over TLS 1.3 without
    /// an error.
    var allowsTLS13 = false
    /// The method that verifies a copy.
    var verification = Verification.automatic
    /// The trusted certificates, time limits and bandwidth limit. FTP ignores the proxy in these settings.
    var connection = ConnectionSettings()
}
