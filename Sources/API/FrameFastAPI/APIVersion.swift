/// The version of the API on the socket.
public enum APIVersion {
    /// The current version. The version increases when a client for the old version would misinterpret a
    /// reply. New fields and values do not increase the version.
    public static let current = 1
    /// The prefix of every path.
    public static let prefix = "/v1"
}
