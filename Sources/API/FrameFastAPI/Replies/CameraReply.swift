public import FoundationEssentials

/// One camera.
public struct CameraReply: WireValue {
    /// Stable id: the configured name, or one made from maker and serial number.
    public var id: CameraID
    /// What people call it.
    public var name: String
    /// Maker as the camera says; `nil` before the first connection.
    @OrNull public var maker: String?
    /// Model as the camera says.
    @OrNull public var model: String?
    /// Serial number as the camera says.
    @OrNull public var serial: String?
    /// Firmware version as the camera says.
    @OrNull public var firmware: String?
    /// Where it is: `usb:001,004`, `ptpip:192.168.1.5:15740`; `nil` while it is not known.
    @OrNull public var port: String?
    /// What it is doing.
    public var state: State
    /// Battery in percent, 0...100.
    @OrNull public var batteryPercent: Int?
    /// Photos that still fit on the card, by the camera's own count.
    @OrNull public var shotsLeft: Int?
    /// Shots that its buffer still takes in a burst; `nil` when it does not tell.
    @OrNull public var burstRoom: Int?
    /// Photos in its own memory that are not saved here yet; `nil` for a camera that keeps them on its card.
    @OrNull public var inMemory: Int?
    /// How it exposes now; `nil` while that is not known.
    @OrNull public var exposure: ExposureReply?
    /// What it does for longer than a moment, or did last; `nil` when nothing since it was connected.
    @OrNull public var operation: OperationReply?
    /// Whether it makes pictures of live view now.
    public var isLive: Bool
    /// Camera clock minus host clock, in seconds.
    @OrNull public var clockDriftSeconds: Int?
    /// Cards and internal memory.
    public var storages: [StorageReply]
    /// The last photo saved from it.
    @OrNull public var lastCapture: LastCaptureReply?
    /// The photo that is coming in; `nil` when none is.
    @OrNull public var progress: ProgressReply?
    /// How far the card has been read since the camera was connected, while new shots are taken already; `nil` when that is
    /// done.
    @OrNull public var listing: ListingReply?
    /// Objects on the card that are still to be fetched.
    public var pending: Int
    /// Mode of the camera's USB connection, for example `tether`, `mass-storage`; `nil` on the network.
    @OrNull public var mode: String?
    /// What a person has to do before it can be used; `nil` when nothing.
    @OrNull public var guidance: GuidanceReply?
    /// Where the camera keeps new photos: `card`, `card+host`, `host`; `nil` when it does not tell.
    @OrNull public var captureTarget: String?
    /// Whether it is left alone on purpose.
    public var isIgnored: Bool
    /// When it was last connected; `nil` when never.
    @OrNull public var lastSeenAt: Date?

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.port, examples: ["usb:001,004", "ptpip:192.168.1.5:15740"]),
            .init(CodingKeys.batteryPercent, range: 0...100),
            .init(CodingKeys.captureTarget, examples: ["card", "card+host", "host"]),
        ]
    }

    /// Creates a reply; everything unknown is left out.
    public init(
        id: CameraID, name: String, maker: String? = nil, model: String? = nil, serial: String? = nil,
        firmware: String? = nil, port: String? = nil, state: State, batteryPercent: Int? = nil,
        shotsLeft: Int? = nil, burstRoom: Int? = nil, inMemory: Int? = nil, exposure: ExposureReply? = nil,
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
        self.state = state
        self._batteryPercent = OrNull(wrappedValue: batteryPercent)
        self._shotsLeft = OrNull(wrappedValue: shotsLeft)
        self._burstRoom = OrNull(wrappedValue: burstRoom)
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

    /// What a camera is doing.
    public struct State: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Not there yet; being looked for.
        public static let searching = Self(rawValue: "searching")
        /// There, in a mode that does not let us in.
        public static let wrongMode = Self(rawValue: "wrong_mode")
        /// Held by another program.
        public static let inUse = Self(rawValue: "in_use")
        /// There, and the system does not let us open it.
        public static let noPermission = Self(rawValue: "no_permission")
        /// Opening the session.
        public static let connecting = Self(rawValue: "connecting")
        /// Connected, nothing to do.
        public static let ready = Self(rawValue: "ready")
        /// A photo is coming in.
        public static let downloading = Self(rawValue: "downloading")
        /// Was connected, being brought back.
        public static let reconnecting = Self(rawValue: "reconnecting")
        /// Left.
        public static let gone = Self(rawValue: "gone")
        /// Given up for now: a person has to look.
        public static let failed = Self(rawValue: "failed")

        /// Every word of this build.
        public static let all = [
            searching, wrongMode, inUse, noPermission, connecting, ready, downloading,
            reconnecting, gone, failed,
        ]
    }
}

/// A card or internal memory.
public struct StorageReply: WireValue {
    /// Label; may be empty.
    public var label: String
    /// Capacity in bytes.
    @OrNull public var capacityBytes: Int64?
    /// Free space in bytes.
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
    /// Its id.
    public var id: CaptureID
    /// Its path.
    public var path: String
    /// When it was saved.
    public var savedAt: Date

    /// Creates a reply.
    public init(id: CaptureID, path: String, savedAt: Date) {
        self.id = id
        self.path = path
        self.savedAt = savedAt
    }
}

/// A photo that is coming in.
public struct ProgressReply: WireValue {
    /// The camera's own name for it: data, to be escaped before it reaches a terminal.
    public var originalName: String
    /// Bytes so far.
    public var bytes: Int64
    /// Announced size in bytes.
    public var totalBytes: Int64

    /// Creates a reply.
    public init(originalName: String, bytes: Int64, totalBytes: Int64) {
        self.originalName = originalName
        self.bytes = bytes
        self.totalBytes = totalBytes
    }
}

/// How far a card has been read.
public struct ListingReply: WireValue {
    /// Photos that are known of so far.
    public var objects: Int
    /// Objects on the card in all, folders included; `nil` when the camera does not tell before the end.
    @OrNull public var totalObjects: Int?

    /// Creates a reply.
    public init(objects: Int, totalObjects: Int? = nil) {
        self.objects = objects
        self._totalObjects = OrNull(wrappedValue: totalObjects)
    }
}
