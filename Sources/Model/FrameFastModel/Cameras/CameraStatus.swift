public import FoundationEssentials

/// The progress of listing a camera's card. The service fetches new shots during the listing.
public struct ListingProgress: Codable, Hashable, Sendable {
    /// The number of photos found so far.
    public var read: Int
    /// The total number of objects on the card, including folders; `nil` until the camera reports it.
    public var total: Int?

    /// Creates the progress of a listing.
    public init(read: Int, total: Int?) {
        self.read = read
        self.total = total
    }
}

/// The progress of the transfer of one photo.
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
    /// The stable id. See ``CameraID``.
    public var id: CameraID
    /// The camera's name.
    public var name: String
    /// The libgphoto2 port path.
    public var port: String
    /// The state.
    public var state: CameraState
    /// The properties that the camera reports; `nil` before the first connection.
    public var facts: CameraFacts?
    /// The mode of the USB connection; `nil` for a network camera, and while the camera is not plugged in.
    public var mode: CameraMode?
    /// The steps that a person must take before the camera can be used, or `nil` if no steps are needed.
    public var guidance: Guidance?
    /// The progress of listing the card; `nil` before and after the listing.
    public var listing: ListingProgress?
    /// The running transfer, or `nil` without one.
    public var transfer: TransferProgress?
    /// The number of announced or listed photos that are not on disk yet.
    public var pending = 0
    /// The last reported settings; empty before the first report. Contains only keys that the camera
    /// supports.
    public var settings: [CameraSettingKey: CameraSetting] = [:]
    /// The source of the last change to ``settings``, or `nil` before the first change.
    public var settingsSource: SettingSource?
    /// The running operation, or the last one since the camera connected; `nil` before the first operation.
    public var operation: CameraOperationProgress?
    /// Whether the service ignores the camera at a person's request.
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

    /// Whether a loss of the connection would leave the shutter open, because the worker could not close it.
    public var leavesShutterOpen: Bool {
        facts?.isShutterOpen == true || (operation?.kind == .bulb && operation?.state == .running)
    }

    /// Returns whether two statuses of a camera are equal except for ``transfer`` and ``pending``.
    public func differsOnlyInProgress(from other: CameraStatus) -> Bool {
        var copy = self
        copy.transfer = other.transfer
        copy.pending = other.pending
        return copy == other
    }
}
