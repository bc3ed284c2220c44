/// What a connected camera says about itself. Refreshed while the session lasts.
public struct CameraFacts: Codable, Hashable, Sendable {
    /// Maker as in DeviceInfo, for example `Canon Inc.`; empty when not given.
    public var maker: String
    /// Model as in DeviceInfo.
    public var model: String
    /// Serial number as in DeviceInfo; empty when not given.
    public var serial: String
    /// Firmware version as in DeviceInfo.
    public var firmware: String
    /// Battery level in percent, 0...100; `nil` when the camera does not tell.
    public var batteryPercent: Int?
    /// Photos that still fit on the card, by the camera's own count; `nil` when it does not tell.
    public var shotsLeft: Int?
    /// The camera's storages (cards).
    public var storages: [CameraStorage]
    /// Camera clock minus host clock in seconds, both read together; `nil` when the clock cannot be read.
    /// The camera's wall clock is compared with the host's wall clock in the zone given to the worker.
    public var clockDriftSeconds: Int?
    /// Whether the camera can be triggered from here.
    public var canTrigger: Bool
    /// Whether objects can be deleted.
    public var canDelete: Bool

    /// Creates facts; everything unknown is left out.
    public init(
        maker: String = "", model: String = "", serial: String = "", firmware: String = "",
        batteryPercent: Int? = nil, shotsLeft: Int? = nil, storages: [CameraStorage] = [],
        clockDriftSeconds: Int? = nil, canTrigger: Bool = false, canDelete: Bool = false
    ) {
        self.maker = maker
        self.model = model
        self.serial = serial
        self.firmware = firmware
        self.batteryPercent = batteryPercent
        self.shotsLeft = shotsLeft
        self.storages = storages
        self.clockDriftSeconds = clockDriftSeconds
        self.canTrigger = canTrigger
        self.canDelete = canDelete
    }
}

/// One storage (card slot or internal memory) of a camera.
public struct CameraStorage: Codable, Hashable, Sendable {
    /// Base folder, for example `/store_00010001`.
    public var folder: String
    /// Label or description; may be empty.
    public var label: String
    /// Capacity in bytes; `nil` when not told.
    public var capacityBytes: UInt64?
    /// Free space in bytes; `nil` when not told.
    public var freeBytes: UInt64?

    /// Creates a storage.
    public init(folder: String, label: String = "", capacityBytes: UInt64? = nil, freeBytes: UInt64? = nil) {
        self.folder = folder
        self.label = label
        self.capacityBytes = capacityBytes
        self.freeBytes = freeBytes
    }
}
