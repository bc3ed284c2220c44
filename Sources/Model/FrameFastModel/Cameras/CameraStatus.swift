public import FoundationEssentials

/// The state of a camera. Raw values are the names on the wire; ui.md has the words for people.
public enum CameraState: String, Codable, Hashable, Sendable, CaseIterable {
    /// Not connected. The service is searching for it.
    case searching
    /// The service is opening a connection.
    case connecting
    /// Connected and idle.
    case ready
    /// The service is transferring photos.
    case downloading
    /// The connection was lost, and the service is opening a new one.
    case reconnecting
    /// Present, but in a mode without remote control.
    case wrongMode = "wrong_mode"
    /// In use by another program.
    case inUse = "in_use"
    /// Present, but the service has no permission to open it.
    case noPermission = "no_permission"
    /// No longer present.
    case gone
    /// Failed. The service does not retry until something changes.
    case failed
}

/// The progress of listing a camera's card. The service fetches new shots during the listing.
public struct ListingProgress: Codable, Hashable, Sendable {
    /// The number of photos found so far.
    public var read: Int
    /// The total number of objects on the card, folders included; `nil` if the camera reports it only at the
    /// end.
    public var total: Int?

    /// Creates the progress of a listing.
    public init(read: Int, total: Int?) {
        self.read = read
        self.total = total
    }
}

/// The photo that a camera is sending, and the bytes received so far.
public struct TransferProgress: Codable, Hashable, Sendable {
    /// The camera's file name.
    public var name: String
    /// The number of bytes received.
    public var bytes: UInt64
    /// The number of bytes that the camera announced.
    public var total: UInt64

    /// Creates the progress of a transfer.
    public init(name: String, bytes: UInt64, total: UInt64) {
        self.name = name
        self.bytes = bytes
        self.total = total
    }
}

/// The status of a camera in the service.
public struct CameraStatus: Codable, Hashable, Sendable {
    /// The stable id: from the serial number if there is one, else from the configured name.
    public var id: CameraID
    /// The name that a person gave the camera.
    public var name: String
    /// The libgphoto2 port path.
    public var port: String
    /// The state.
    public var state: CameraState
    /// The properties that the camera reports; `nil` before the first connection.
    public var facts: CameraFacts?
    /// The mode of its USB connection; `nil` on the network and while it is not plugged in.
    public var mode: CameraMode?
    /// The steps that a person has to take before the camera can be used, or `nil` for none.
    public var guidance: Guidance?
    /// The progress of listing the card; `nil` before and after the listing.
    public var listing: ListingProgress?
    /// The running transfer, or `nil` without one.
    public var transfer: TransferProgress?
    /// The number of known photos that are not yet on disk.
    public var pending = 0
    /// The last reported settings, for the keys that the camera has; empty before the first report.
    public var settings: [CameraSettingKey: CameraSetting] = [:]
    /// The source of the last change to the settings, or `nil` before the first change.
    public var settingsSource: SettingSource?
    /// The running or last operation since the camera connected, or `nil` before the first.
    public var operation: CameraOperationProgress?
    /// Whether a person told the service to ignore the camera.
    public var isIgnored = false
    /// The time of the last connection, or `nil` before the first.
    public var lastSeenAt: Date?

    /// Creates a status.
    public init(id: CameraID, name: String, port: String, state: CameraState, facts: CameraFacts? = nil) {
        self.id = id
        self.name = name
        self.port = port
        self.state = state
        self.facts = facts
    }

    /// Returns whether two statuses of a camera differ only in the progress of its photos.
    public func differsOnlyInProgress(from other: CameraStatus) -> Bool {
        var copy = self
        copy.transfer = other.transfer
        copy.pending = other.pending
        return copy == other
    }
}
