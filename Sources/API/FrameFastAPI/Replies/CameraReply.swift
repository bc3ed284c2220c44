public import FoundationEssentials

/// A camera, its state and its facts.
public struct CameraReply: WireValue {
    /// The stable id: the configured name, or an id derived from maker and serial number, or from the port.
    public var id: CameraID
    /// The name that people use.
    public var name: String
    /// The maker as the camera reports it, or `nil` before the first connection.
    @OrNull public var maker: String?
    /// The model as the camera reports it, or `nil` before the first connection.
    @OrNull public var model: String?
    /// The serial number as the camera reports it, or `nil` if it is not known.
    @OrNull public var serial: String?
    /// The firmware version as the camera reports it, or `nil` if it is not known.
    @OrNull public var firmware: String?
    /// The port, `usb:001,004` or `ptpip:192.168.1.5:15740`, or `nil` while it is not known.
    @OrNull public var port: String?
    /// The current state.
    @Word public var state: State?
    /// The battery level, in percent, 0...100, or `nil` if the camera does not report it.
    @OrNull public var batteryPercent: Int?
    /// The number of photos that still fit on the card according to the camera, or `nil` if the camera does
    /// not report it.
    @OrNull public var shotsLeft: Int?
    /// The number of shots that still fit in the camera's buffer during a burst, or `nil` if the camera does
    /// not report it.
    @OrNull public var burstShotsLeft: Int?
    /// The number of unsaved photos in the camera's memory, or `nil` for a camera that saves photos to its
    /// card.
    @OrNull public var inMemory: Int?
    /// The current exposure, or `nil` while it is not known.
    @OrNull public var exposure: ExposureReply?
    /// The running or the last long-running operation, or `nil` if none ran since the camera connected.
    @OrNull public var operation: OperationReply?
    /// Whether live view is on.
    public var isLive: Bool
    /// The camera's clock minus the host's clock, in seconds, or `nil` if it is not known.
    @OrNull public var clockDriftSeconds: Int?
    /// The cards and internal memory.
    public var storages: [StorageReply]
    /// The last photo saved from the camera, or `nil` if none was saved.
    @OrNull public var lastCapture: LastCaptureReply?
    /// The progress of the photo that is being transferred, or `nil` if there is no transfer.
    @OrNull public var progress: ProgressReply?
    /// The progress of the first listing of the card after the camera connected, or `nil` when the listing is
    /// complete. New shots are transferred during the listing.
    @OrNull public var listing: ListingReply?
    /// The number of objects on the card that still have to be transferred.
    public var pending: Int
    /// The mode of the USB connection, for example `tether` or `mass-storage`, or `nil` for a network camera.
    @OrNull public var mode: String?
    /// The steps that make the camera usable, or `nil` if no action is needed.
    @OrNull public var guidance: GuidanceReply?
    /// The storage for new photos: `card`, `card+host` or `host`, or `nil` if the camera does not report it.
    @OrNull public var captureTarget: String?
    /// Whether a person chose to ignore the camera.
    public var isIgnored: Bool
    /// The time when the camera was last connected, or `nil` if it was never connected.
    @OrNull public var lastSeenAt: Date?

    private enum CodingKeys: String, CodingKey {
        case id, name, maker, model, serial, firmware, port, state, batteryPercent, shotsLeft
        case burstShotsLeft = "burstRoom"
        case inMemory, exposure, operation, isLive, clockDriftSeconds, storages, lastCapture, progress,
            listing, pending, mode, guidance, captureTarget, isIgnored, lastSeenAt
    }

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.port, examples: ["usb:001,004", "ptpip:192.168.1.5:15740"]),
            .init(CodingKeys.batteryPercent, range: 0...100),
            .init(CodingKeys.captureTarget, examples: ["card", "card+host", "host"]),
        ]
    }

    /// Creates a reply. Optional values default to `nil`.
    public init(
        id: CameraID, name: String, maker: String? = nil, model: String? = nil, serial: String? = nil,
        firmware: String? = nil, port: String? = nil, state: State, batteryPercent: Int? = nil,
        shotsLeft: Int? = nil, burstShotsLeft: Int? = nil, inMemory: Int? = nil,
        exposure: ExposureReply? = nil,
        operation: OperationReply? = nil, isLive: Bool = false,
        clockDriftSeconds: Int? = nil,
        storages: [StorageReply] = [],
        lastCapture: LastCaptureReply? = nil, progress: ProgressReply? = nil,
        listing: ListingReply? = nil, pending: Int = 0, mode: String? = nil, guidance: GuidanceReply? = nil,
        captureTarget: String? = nil,
        isIgnored: Bool = false, lastSeenAt: Date? = nil
    ) {
        self.id = id
        self.name = name
        self._maker = OrNull(wrappedValue: maker)
        self._model = OrNull(wrappedValue: model)
        self._serial = OrNull(wrappedValue: serial)
        self._firmware = OrNull(wrappedValue: firmware)
        self._port = OrNull(wrappedValue: port)
        self._state = Word(state)
        self._batteryPercent = OrNull(wrappedValue: batteryPercent)
        self._shotsLeft = OrNull(wrappedValue: shotsLeft)
        self._burstShotsLeft = OrNull(wrappedValue: burstShotsLeft)
        self._inMemory = OrNull(wrappedValue: inMemory)
        self._exposure = OrNull(wrappedValue: exposure)
        self._operation = OrNull(wrappedValue: operation)
        self._clockDriftSeconds = OrNull(wrappedValue: clockDriftSeconds)
        self.storages = storages
        self._lastCapture = OrNull(wrappedValue: lastCapture)
        self._progress = OrNull(wrappedValue: progress)
        self._listing = OrNull(wrappedValue: listing)
        self.pending = pending
        self._mode = OrNull(wrappedValue: mode)
        self._guidance = OrNull(wrappedValue: guidance)
        self._captureTarget = OrNull(wrappedValue: captureTarget)
        self.isIgnored = isIgnored
        self.isLive = isLive
        self._lastSeenAt = OrNull(wrappedValue: lastSeenAt)
    }

    /// The state of a camera.
    public typealias State = CameraState
}

/// A card or internal memory of a camera.
public struct StorageReply: WireValue {
    /// The label; may be empty.
    public var label: String
    /// The capacity, in bytes, or `nil` if it is not known.
    @OrNull public var capacityBytes: Int64?
    /// The free space, in bytes, or `nil` if it is not known.
    @OrNull public var freeBytes: Int64?

    /// Creates a reply.
    public init(label: String, capacityBytes: Int64? = nil, freeBytes: Int64? = nil) {
        self.label = label
        self._capacityBytes = OrNull(wrappedValue: capacityBytes)
        self._freeBytes = OrNull(wrappedValue: freeBytes)
    }
}

/// The last photo saved from a camera.
public struct LastCaptureReply: WireValue {
    /// The id of the photo.
    public var id: CaptureID
    /// The absolute path of the file.
    public var path: String
    /// The time when the photo was saved.
    public var savedAt: Date

    /// Creates a reply.
    public init(id: CaptureID, path: String, savedAt: Date) {
        self.id = id
        self.path = path
        self.savedAt = savedAt
    }
}

/// The progress of a photo that is being transferred.
public struct ProgressReply: WireValue {
    /// The photo's file name on the camera. Untrusted data: escape it before printing it to a terminal.
    public var originalName: String
    /// The number of bytes received so far.
    public var bytes: Int64
    /// The announced size, in bytes.
    public var totalBytes: Int64

    /// Creates a reply.
    public init(originalName: String, bytes: Int64, totalBytes: Int64) {
        self.originalName = originalName
        self.bytes = bytes
        self.totalBytes = totalBytes
    }
}

/// The progress of the listing of a card.
public struct ListingReply: WireValue {
    /// The number of photos found so far.
    public var objects: Int
    /// The number of all objects on the card, including folders, or `nil` until the camera reports it.
    @OrNull public var totalObjects: Int?

    /// Creates a reply.
    public init(objects: Int, totalObjects: Int? = nil) {
        self.objects = objects
        self._totalObjects = OrNull(wrappedValue: totalObjects)
    }
}
