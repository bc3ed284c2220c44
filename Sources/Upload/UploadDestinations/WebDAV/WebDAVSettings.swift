/// The settings of a folder on a WebDAV server.
public struct WebDAVSettings: Hashable, Sendable {
    /// The URL of the folder. A missing folder is created if its parent exists.
    public var url: String
    /// The credentials for the server.
    public var credentials: HTTPCredentials
    /// The method that verifies a copy.
    public var verification: Verification
    /// The trust, proxy, time limits and speed.
    public var connection: ConnectionSettings

    /// Creates the settings of a WebDAV destination.
    public init(
        url: String, credentials: HTTPCredentials = .none, verification: Verification = .automatic,
        connection: ConnectionSettings = ConnectionSettings()
    ) {
        self.url = url
        self.credentials = credentials
        self.verification = verification
        self.connection = connection
    }
}
