public import FoundationEssentials

/// A camera that is remembered: who it is, what it is called, where it was last.
public struct RosterRecord: Codable, Hashable, Sendable, Identifiable {
    /// Stable id, from maker and serial number where there is one.
    public var id: CameraID
    /// What it is called; unique.
    public var name: String
    /// Whether a person chose the name.
    public var isNamed: Bool
    /// Maker, as the camera or its USB descriptors say; empty when not known.
    public var maker: String
    /// Model, as the camera or the driver's table says; empty when not known.
    public var model: String
    /// Serial number, empty when not known.
    public var serial: String
    /// libgphoto2 port path of the last connection.
    public var port: String
    /// The network of the last connection, for example `192.168.1.0/24`; `nil` on the USB.
    public var network: String?
    /// On the network: it is to be connected whenever it is there.
    public var isKept: Bool
    /// It is left alone on purpose.
    public var isIgnored: Bool
    /// When it was last connected; `nil` when never.
    public var lastSeenAt: Date?

    /// Creates a record.
    public init(
        id: CameraID, name: String, isNamed: Bool = false, maker: String = "", model: String = "",
        serial: String = "", port: String, network: String? = nil, isKept: Bool = false,
        isIgnored: Bool = false, lastSeenAt: Date? = nil
    ) {
        self.id = id
        self.name = name
        self.isNamed = isNamed
        self.maker = maker
        self.model = model
        self.serial = serial
        self.port = port
        self.network = network
        self.isKept = isKept
        self.isIgnored = isIgnored
        self.lastSeenAt = lastSeenAt
    }
}
