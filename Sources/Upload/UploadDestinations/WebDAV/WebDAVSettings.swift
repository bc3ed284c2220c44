/// The settings of a folder on a WebDAV server.
struct WebDAVSettings: Hashable, Sendable {
    /// The URL of the folder. A missing folder is created if its parent exists.
    var url: String
    /// The credentials for the server.
    var credentials = HTTPCredentials.none
    /// The method that verifies a copy.
    var verification = Verification.automatic
    /// The trusted certificates, proxy, time limits and bandwidth limit.
    var connection = ConnectionSettings()
}
