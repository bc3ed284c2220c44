/// The network access to a maker's cameras.
public struct NetworkProfile: Codable, Hashable, Sendable {
    /// Whether tethering over PTP/IP with libgphoto2 is possible.
    public let isPossible: Bool
    /// The default addresses of cameras that act as access points, in the order in which to try them.
    public let hosts: [String]
    /// The TCP port for commands and events, or `nil` if the cameras do not use PTP/IP.
    public let port: UInt16?
    /// The driver's model name, or `nil` for `PTP/IP Camera`.
    public let driverModel: String?
    /// The UPnP services that only this maker's cameras announce, or `nil` if no service is known.
    public let services: [String]?
    /// The guidance for a network connection, as steps for the user.
    public let steps: [AdviceText]
    /// The step that answers the camera's request to accept this computer, or `nil` if no step is known.
    public let pairing: AdviceText?
    /// The source of these facts.
    public let confidence: Confidence
}
