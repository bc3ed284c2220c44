/// Version of the interface on the socket.
public enum APIVersion {
    /// Grows when a client written for the old one would misread an answer. New fields and words do not count.
    public static let current = 1
    /// What every path starts with.
    public static let prefix = "/v1"
}
