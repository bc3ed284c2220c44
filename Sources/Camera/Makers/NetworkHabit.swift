/// How a maker's cameras are reached over a network.
public struct NetworkHabit: Codable, Hashable, Sendable {
    /// Whether tethering over PTP/IP with libgphoto2 is possible.
    public let isPossible: Bool
    /// Addresses that its cameras usually have as access points, to be tried in order.
    public let hosts: [String]
    /// TCP port for commands; `nil` when it is not PTP/IP.
    public let port: UInt16?
    /// TCP port for events when it is another one.
    public let eventPort: UInt16?
    /// The driver's model name to ask for; `nil` for `PTP/IP Camera`.
    public let driverModel: String?
    /// UPnP services that only its cameras announce; `nil` for none that is known.
    public let services: [String]?
    /// What to do on the camera.
    public let steps: [AdviceText]
    /// How the camera wants this computer to be accepted; `nil` when it does not.
    public let pairing: AdviceText?
    /// How it is known.
    public let confidence: Confidence
}
