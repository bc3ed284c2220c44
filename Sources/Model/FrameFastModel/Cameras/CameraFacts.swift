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
    /// Shots that its buffer still takes in a burst; `nil` when it does not tell.
    public var burstRoom: Int?
    /// The camera's storages (cards).
    public var storages: [CameraStorage]
    /// Camera clock minus host clock in seconds, both read together; `nil` when the clock cannot be read.
    /// The camera's wall clock is compared with the host's wall clock in the zone given to the worker.
    public var clockDriftSeconds: Int?
    /// Whether the camera can be triggered from here.
    public var canTrigger: Bool
    /// Whether objects can be deleted.
    public var canDelete: Bool
    /// Where the camera puts photos now: a ``CaptureTarget`` as text (never `leave`), or the camera's own word where it
    /// fits none; `nil` when the camera has no such setting or does not tell.
    public var captureTarget: String?
    /// Vendor extension in words, as in DeviceInfo, for example `Sony PTP Extensions`; empty when not given.
    public var vendorExtension: String
    /// Number of the vendor extension in DeviceInfo, for example 0x11 for Sony; `nil` when not known.
    public var vendorExtensionID: UInt32?
    /// Whether the camera offers the standard operation that takes a photo (InitiateCapture). A Fujifilm body set to
    /// card reader does not, one set to tether shooting does; `nil` when not known.
    public var hasGenericCapture: Bool?
    /// Whether the camera offers Sony's remote operations: PC Remote does, MTP does not; `nil` when not known.
    public var hasSonyCapture: Bool?
    /// Whether saved photos must be deleted on the camera: they lie in a memory that fills, and then it stops shooting.
    public var mustDeleteAfterSave: Bool
    /// Size of that memory in bytes, as far as known; `nil` for a camera with a card.
    public var bufferBytes: UInt64?
    /// Photos in that memory that are not deleted yet; `nil` when the camera does not list them.
    public var bufferedObjects: Int?
    /// Bytes of those photos; `nil` when the camera does not list them.
    public var bufferedBytes: UInt64?
    /// Whether objects from before the session can be listed; when not, what was not fetched in its session can only
    /// be had from the card itself.
    public var canList: Bool
    /// Whether it makes pictures of live view now.
    public var isLive = false
    /// Settings that were changed for an operation and are not set back, because the driver crashed in the attempt: the
    /// driver's names, and `bulb` or `movie` for what may still run.
    public var unrestored: [String] = []
    /// Whether only photos are taken from it, because libgphoto2 does not show its packets in a form that the worker knows.
    public var isPhotosOnly = false

    /// Creates facts; everything unknown is left out.
    public init(
        maker: String = "", model: String = "", serial: String = "", firmware: String = "",
        batteryPercent: Int? = nil, shotsLeft: Int? = nil, burstRoom: Int? = nil,
        storages: [CameraStorage] = [],
        clockDriftSeconds: Int? = nil, canTrigger: Bool = false, canDelete: Bool = false,
        captureTarget: String? = nil, vendorExtension: String = "", vendorExtensionID: UInt32? = nil,
        hasGenericCapture: Bool? = nil, hasSonyCapture: Bool? = nil, mustDeleteAfterSave: Bool = false,
        bufferBytes: UInt64? = nil, bufferedObjects: Int? = nil, bufferedBytes: UInt64? = nil,
        canList: Bool = true
    ) {
        self.maker = maker
        self.model = model
        self.serial = serial
        self.firmware = firmware
        self.batteryPercent = batteryPercent
        self.shotsLeft = shotsLeft
        self.burstRoom = burstRoom
        self.storages = storages
        self.clockDriftSeconds = clockDriftSeconds
        self.canTrigger = canTrigger
        self.canDelete = canDelete
        self.captureTarget = captureTarget
        self.vendorExtension = vendorExtension
        self.vendorExtensionID = vendorExtensionID
        self.hasGenericCapture = hasGenericCapture
        self.hasSonyCapture = hasSonyCapture
        self.mustDeleteAfterSave = mustDeleteAfterSave
        self.bufferBytes = bufferBytes
        self.bufferedObjects = bufferedObjects
        self.bufferedBytes = bufferedBytes
        self.canList = canList
    }

    /// Reads facts; what an older writer did not know is left out.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        maker = try values.decode(String.self, forKey: .maker)
        model = try values.decode(String.self, forKey: .model)
        serial = try values.decode(String.self, forKey: .serial)
        firmware = try values.decode(String.self, forKey: .firmware)
        batteryPercent = try values.decodeIfPresent(Int.self, forKey: .batteryPercent)
        shotsLeft = try values.decodeIfPresent(Int.self, forKey: .shotsLeft)
        burstRoom = try values.decodeIfPresent(Int.self, forKey: .burstRoom)
        storages = try values.decode([CameraStorage].self, forKey: .storages)
        clockDriftSeconds = try values.decodeIfPresent(Int.self, forKey: .clockDriftSeconds)
        canTrigger = try values.decode(Bool.self, forKey: .canTrigger)
        canDelete = try values.decode(Bool.self, forKey: .canDelete)
        captureTarget = try values.decodeIfPresent(String.self, forKey: .captureTarget)
        vendorExtension = try values.decodeIfPresent(String.self, forKey: .vendorExtension) ?? ""
        vendorExtensionID = try values.decodeIfPresent(UInt32.self, forKey: .vendorExtensionID)
        hasGenericCapture = try values.decodeIfPresent(Bool.self, forKey: .hasGenericCapture)
        hasSonyCapture = try values.decodeIfPresent(Bool.self, forKey: .hasSonyCapture)
        mustDeleteAfterSave = try values.decodeIfPresent(Bool.self, forKey: .mustDeleteAfterSave) ?? false
        bufferBytes = try values.decodeIfPresent(UInt64.self, forKey: .bufferBytes)
        bufferedObjects = try values.decodeIfPresent(Int.self, forKey: .bufferedObjects)
        bufferedBytes = try values.decodeIfPresent(UInt64.self, forKey: .bufferedBytes)
        canList = try values.decodeIfPresent(Bool.self, forKey: .canList) ?? true
        isLive = try values.decodeIfPresent(Bool.self, forKey: .isLive) ?? false
        unrestored = try values.decodeIfPresent([String].self, forKey: .unrestored) ?? []
        isPhotosOnly = try values.decodeIfPresent(Bool.self, forKey: .isPhotosOnly) ?? false
    }
}

extension CameraFacts {
    /// Whether photos stay behind when the connection breaks, and cannot be found later.
    public var leavesPhotosBehind: Bool { !canList && !mustDeleteAfterSave }

    /// Whether only a new session's list shows photos that were not announced: the camera's own list cannot be compared. A
    /// memory that must be emptied is listed by the worker with each look for events.
    public var mustRelist: Bool { isPhotosOnly && canList && !mustDeleteAfterSave }

    /// The same facts with the camera's clock compared with the host's in another zone: the host's zone may change, and summer
    /// may begin, while a session is open.
    ///
    /// - Parameters:
    ///   - zone: The zone that counts, in seconds east of UTC.
    ///   - opened: The zone that the clock was compared in, in seconds east of UTC.
    public func comparingClock(in zone: Int, insteadOf opened: Int) -> CameraFacts {
        var facts = self
        facts.clockDriftSeconds = clockDriftSeconds.map { $0 + opened - zone }
        return facts
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
