/// The properties that a connected camera reports. The worker refreshes these properties during the
/// connection.
public struct CameraFacts: Codable, Hashable, Sendable {
    /// The maker as in DeviceInfo, for example `Canon Inc.`; empty if not reported.
    public var maker: String
    /// The model as in DeviceInfo.
    public var model: String
    /// The serial number as in DeviceInfo; empty if not reported.
    public var serial: String
    /// The firmware version as in DeviceInfo.
    public var firmware = ""
    /// The battery level, in percent, 0...100; `nil` if the camera does not report it.
    public var batteryPercent: Int?
    /// Whether the battery is nearly empty, for a camera that reports its battery level in steps. `false` for
    /// other cameras.
    public var isBatteryLow = false
    /// The number of photos that still fit on the card, estimated by the camera; `nil` if not reported.
    public var shotsLeft: Int?
    /// The number of shots that the buffer can still hold in a burst; `nil` if the camera does not report it.
    public var burstShotsLeft: Int?
    /// The camera's storages (cards).
    public var storages: [CameraStorage]
    /// The camera's clock minus the host's clock, in seconds; `nil` if the clock cannot be read. The worker
    /// reads the two clocks one after the other, and compares them as wall-clock times in the camera's time
    /// zone.
    public var clockDriftSeconds: Int?
    /// Whether this computer can release the shutter.
    public var canTrigger = false
    /// Whether this computer can delete objects on the camera.
    public var canDelete = false
    /// The current storage for new photos: the raw value of a ``CaptureTarget`` (never `leave`), or the
    /// camera's own value if no target matches. `nil` if the camera does not report the storage.
    public var captureTarget: String?
    /// The description of the vendor extension in DeviceInfo, for example `Sony PTP Extensions`; empty if not
    /// reported.
    public var vendorExtension = ""
    /// The number of the vendor extension that the driver uses, for example 0x11 for Sony; `nil` if unknown.
    public var vendorExtensionID: UInt32?
    /// Whether the camera supports the standard operation InitiateCapture, which takes a photo; `nil` if
    /// unknown. A Fujifilm body supports it in tether mode, but not in card-reader mode.
    public var hasGenericCapture: Bool?
    /// Whether the camera supports Sony's remote operations; `nil` if unknown. A Sony supports them in PC
    /// Remote mode, but not in MTP mode.
    public var hasSonyCapture: Bool?
    /// Whether saved photos must be deleted on the camera. Such a camera keeps tethered photos in internal
    /// memory, and stops shooting when that memory is full.
    public var mustDeleteAfterSave: Bool
    /// The size of the internal memory, in bytes; `nil` if the size is unknown or the camera has a card.
    public var bufferBytes: UInt64?
    /// The number of photos in the internal memory; `nil` if the camera does not list them.
    public var bufferedObjects: Int?
    /// The total size of the photos in the internal memory, in bytes; `nil` if the camera does not list them.
    public var bufferedBytes: UInt64?
    /// Whether the camera lists objects from before the connection. If `false`, the service can fetch a photo
    /// only during the connection in which it was taken. Later, only a card reader can copy the photo.
    public var canList = true
    /// Whether live view is running.
    public var isLive = false
    /// The settings that the service does not set or restore automatically, because the driver crashed or
    /// several workers died while setting them. For an exposure or movie that may still
    /// run, the entry is `bulb` or `movie`.
    public var unrestored: [String] = []
    /// Whether an exposure that has ended may have left the shutter open. `false` during an exposure.
    public var isShutterOpen = false
    /// Whether the worker supports only photos and the shutter, because it cannot parse the packet log of the
    /// installed libgphoto2.
    public var onlyFetchesPhotos = false

    private enum CodingKeys: String, CodingKey {
        case maker, model, serial, firmware, batteryPercent, isBatteryLow, shotsLeft
        case burstShotsLeft = "burstRoom"
        case storages, clockDriftSeconds, canTrigger, canDelete, captureTarget, vendorExtension,
            vendorExtensionID, hasGenericCapture, hasSonyCapture, mustDeleteAfterSave, bufferBytes,
            bufferedObjects, bufferedBytes, canList, isLive, unrestored, isShutterOpen
        case onlyFetchesPhotos = "isPhotosOnly"
    }

    /// Creates facts. Omitted properties are unknown or `false`, but `canList` is `true`.
    public init(
        maker: String = "", model: String = "", serial: String = "", batteryPercent: Int? = nil,
        shotsLeft: Int? = nil, storages: [CameraStorage] = [], clockDriftSeconds: Int? = nil,
        captureTarget: String? = nil, mustDeleteAfterSave: Bool = false, bufferBytes: UInt64? = nil,
        bufferedObjects: Int? = nil, bufferedBytes: UInt64? = nil
    ) {
        self.maker = maker
        self.model = model
        self.serial = serial
        self.batteryPercent = batteryPercent
        self.shotsLeft = shotsLeft
        self.storages = storages
        self.clockDriftSeconds = clockDriftSeconds
        self.captureTarget = captureTarget
        self.mustDeleteAfterSave = mustDeleteAfterSave
        self.bufferBytes = bufferBytes
        self.bufferedObjects = bufferedObjects
        self.bufferedBytes = bufferedBytes
    }
}

extension CameraFacts {
    /// Whether a lost connection leaves photos in the camera that the service cannot list later.
    public var leavesPhotosBehind: Bool { !canList && !mustDeleteAfterSave }

    /// Whether the service can find an unannounced photo only by listing the card at the next connection. The
    /// worker cannot compare the object list of such a camera. `false` if ``mustDeleteAfterSave`` is `true`,
    /// because the worker lists the internal memory at each poll for events.
    public var mustRelist: Bool { onlyFetchesPhotos && canList && !mustDeleteAfterSave }

    /// Returns the facts with the clock drift converted to another time zone offset. Used when the host's
    /// zone changes or summer time starts during a connection.
    ///
    /// - Parameters:
    ///   - zone: The new offset, in seconds east of UTC.
    ///   - opened: The offset when the worker compared the two clocks, in seconds east of UTC.
    public func comparingClock(in zone: Int, insteadOf opened: Int) -> CameraFacts {
        var facts = self
        facts.clockDriftSeconds = clockDriftSeconds.map { $0 + opened - zone }
        return facts
    }
}

/// A storage (card slot or internal memory) of a camera.
public struct CameraStorage: Codable, Hashable, Sendable {
    /// The base folder, for example `/store_00010001`.
    public var folder: String
    /// The label or description; may be empty.
    public var label: String
    /// The capacity, in bytes; `nil` if not reported.
    public var capacityBytes: UInt64?
    /// The free space, in bytes; `nil` if not reported.
    public var freeBytes: UInt64?

    /// Creates a storage.
    public init(folder: String, label: String = "", capacityBytes: UInt64? = nil, freeBytes: UInt64? = nil) {
        self.folder = folder
        self.label = label
        self.capacityBytes = capacityBytes
        self.freeBytes = freeBytes
    }
}
