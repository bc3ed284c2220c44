public import FoundationEssentials

/// A saved camera: its identity, its name and its last location.
public struct RosterRecord: Codable, Hashable, Sendable, Identifiable {
    /// The stable id. See ``CameraID``.
    public var id: CameraID
    /// The name; unique.
    public var name: String
    /// Whether a person chose the name.
    public var isNamed: Bool
    /// The maker, from the camera or its USB descriptors; empty if unknown.
    public var maker: String
    /// The model, from the camera or the driver's table; empty if unknown.
    public var model: String
    /// The serial number; empty if unknown.
    public var serial: String
    /// The libgphoto2 port path of the last connection.
    public var port: String
    /// The network of the last connection, for example `192.168.1.0/24`; `nil` for USB.
    public var network: String?
    /// Whether the service connects a network camera whenever it is reachable.
    public var isKept: Bool
    /// Whether the service ignores the camera at a person's request.
    public var isIgnored: Bool
    /// The time of the last connection, or `nil` before the first.
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
