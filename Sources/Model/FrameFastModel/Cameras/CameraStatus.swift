public import FoundationEssentials

/// Where a camera stands. The words for people are in ui.md's table; these are the names on the wire.
public enum CameraState: String, Codable, Hashable, Sendable, CaseIterable {
    /// Not connected; being looked for.
    case searching
    /// A session is being opened.
    case connecting
    /// Connected, nothing to do.
    case ready
    /// Photos are on their way to the disk.
    case downloading
    /// The session was lost and is being set up again.
    case reconnecting
    /// There, in a mode that does not let us in.
    case wrongMode = "wrong_mode"
    /// Held by another program.
    case inUse = "in_use"
    /// There, and the system does not let us open it.
    case noPermission = "no_permission"
    /// Was here, and is not any more.
    case gone
    /// Given up until something changes.
    case failed
}

/// How far a camera's card has been read. New shots are taken meanwhile.
public struct ListingProgress: Codable, Hashable, Sendable {
    /// Photos that are known of.
    public var read: Int
    /// Objects on the card in all, folders included; `nil` when the camera does not tell before the end.
    public var total: Int?

    /// Creates a value.
    public init(read: Int, total: Int?) {
        self.read = read
        self.total = total
    }
}

/// The photo that a camera is sending, and how much of it has arrived.
public struct TransferProgress: Codable, Hashable, Sendable {
    /// The camera's file name.
    public var name: String
    /// Bytes received.
    public var bytes: UInt64
    /// Bytes that the camera announced.
    public var total: UInt64

    /// Creates a value.
    public init(name: String, bytes: UInt64, total: UInt64) {
        self.name = name
        self.bytes = bytes
        self.total = total
    }
}

/// A camera as the service knows it.
public struct CameraStatus: Codable, Hashable, Sendable {
    /// Stable id: from the serial number where there is one, else from the configured name.
    public var id: CameraID
    /// The name that people gave it.
    public var name: String
    /// libgphoto2 port path.
    public var port: String
    /// Where it stands.
    public var state: CameraState
    /// What it says of itself; `nil` before the first connection.
    public var facts: CameraFacts?
    /// Mode of its USB connection; `nil` on the network and while it is not plugged in.
    public var mode: CameraMode?
    /// What a person has to do before it can be used; `nil` when nothing.
    public var guidance: Guidance?
    /// How far its card has been read since it was connected; `nil` when that is done, or not begun.
    public var listing: ListingProgress?
    /// The running transfer; `nil` when no photo is coming in.
    public var transfer: TransferProgress?
    /// The number of known photos that are not on disk yet.
    public var pending = 0
    /// Its settings as they were told last, of the keys that it has; empty before they were read.
    public var settings: [CameraSettingKey: CameraSetting] = [:]
    /// The source of the last change to the settings; `nil` before the first.
    public var settingsSource: SettingSource?
    /// What it does for longer than a moment, or did last; `nil` when nothing since it was connected.
    public var operation: CameraOperationProgress?
    /// Whether it is left alone on purpose.
    public var isIgnored = false
    /// When it was last connected; `nil` when never.
    public var lastSeenAt: Date?

    /// Creates a status.
    public init(id: CameraID, name: String, port: String, state: CameraState, facts: CameraFacts? = nil) {
        self.id = id
        self.name = name
        self.port = port
        self.state = state
        self.facts = facts
    }

    /// Whether two values of a camera differ in nothing but the progress of its photos.
    public func differsOnlyInProgress(from other: CameraStatus) -> Bool {
        var copy = self
        copy.transfer = other.transfer
        copy.pending = other.pending
        return copy == other
    }
}
