/// A folder on a WebDAV server.
public struct WebDAVSettings: Hashable, Sendable {
    /// Address of the folder; it is made when it is missing, below a folder that is there.
    public var url: String
    /// Who we are.
    public var credentials: HTTPCredentials
    /// How the copy is verified.
    public var verification: Verification
    /// Trust, proxy, patience and speed.
    public var connection: ConnectionSettings

    /// Creates settings.
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
