public import FrameFastModel

/// What the daemon asks of a worker. Every command but `close` is answered by events that carry its `id`.
public enum WorkerCommand: Codable, Hashable, Sendable {
    /// Connect to the camera. Answer: `opened`, or `failed` and the worker stays usable for another `open`.
    case open(id: UInt64, OpenRequest)
    /// List every file object on the camera. Answer: one or more `listed`, the last with `isLast`. A large card is
    /// read in portions, and other commands are served between them.
    case list(id: UInt64)
    /// Ask the camera itself for its object handles and compare them with what the driver knows.
    /// Answer: `reconciled`. Costs one transaction, not one an object.
    case reconcile(id: UInt64)
    /// Stream one object into a file. Answer: `progress`… then `fetched` or `failed`.
    case fetch(id: UInt64, FetchRequest)
    /// Delete one object on the camera, if the camera still says the same of it: its numbers may stand for another photo
    /// by now. Answer: `done` or `failed`.
    case delete(id: UInt64, CameraObject)
    /// Release the shutter. May be sent during a fetch: it is served between two pieces. Answer: `done` or `failed`.
    case trigger(id: UInt64)
    /// Read battery, storages and clock again. Answer: `facts` then `done`, or `failed`.
    case refresh(id: UInt64)
    /// Read settings by our keys or the driver's names; those of every key that the camera has for an empty list.
    /// Answer: `settings`, without those that the camera does not have, or `failed`.
    case readSettings(id: UInt64, names: [String])
    /// Set settings, in the order of ``CameraSettingKey``. Answer: `settingResults`, one for each change in the order
    /// in which they were given, or `failed` when the session is over.
    case writeSettings(id: UInt64, CameraSettingsOrder)
    /// Set the camera's clock to the wall time of a zone, given in seconds east of UTC. Answer: `clockSet` or `failed`.
    case setClock(id: UInt64, zoneOffsetSeconds: Int)
    /// Begin an operation. Answer: `done` when it has begun, or `failed`: with kind `occupied` when another one runs. Live
    /// view ends for it. How it goes on comes as `operation`.
    case begin(id: UInt64, CameraOperation)
    /// End the operation that runs, or live view: the shutter is closed, what was changed is set back.
    /// Answer: `done`, also when nothing runs.
    case end(id: UInt64)
    /// Find or move the focus. Answer: `done` or `failed`.
    case focus(id: UInt64, FocusOrder)
    /// Send the next frame of live view, which begins with the first such order, and ends by itself when no frame was
    /// asked for during ``LiveViewLimits/restMs``. Answer: `frame` or `failed`. Photos go before frames.
    case liveFrame(id: UInt64, LiveFrameOrder)
    /// End the session in order and exit with status 0.
    case close
}

/// How to reach the camera.
public struct OpenRequest: Codable, Hashable, Sendable {
    /// libgphoto2 port path: `usb:001,004` or `ptpip:192.168.1.5:15740`.
    public var port: String
    /// PTP object handles that ended earlier workers: kept away from the driver, in listings and events.
    public var quarantinedHandles: [UInt32]
    /// The time zone of the camera's clock.
    public var zone: ZoneOffsets
    /// Where the camera shall put its photos while the session lasts; it gets its own setting back at the end.
    public var captureTarget: CaptureTarget
    /// Whether photos wait while somebody shoots.
    public var shutterWait: ShutterWait
    /// What is known of makers: whose camera it is shows when it is open.
    public var habits: [MakerHabits]

    /// Creates a request.
    public init(
        port: String, quarantinedHandles: [UInt32] = [], zone: ZoneOffsets = ZoneOffsets(seconds: 0),
        captureTarget: CaptureTarget = .card, shutterWait: ShutterWait = .auto, habits: [MakerHabits] = []
    ) {
        self.port = port
        self.quarantinedHandles = quarantinedHandles
        self.zone = zone
        self.captureTarget = captureTarget
        self.shutterWait = shutterWait
        self.habits = habits
    }
}

/// Which object to stream, and where to.
public struct FetchRequest: Codable, Hashable, Sendable {
    /// The object's folder, as listed.
    public var folder: String
    /// The object's name, as listed.
    public var name: String
    /// Size the camera announced, in bytes.
    public var announcedSize: UInt64
    /// Absolute path of the `.part` file. Created exclusively by the worker; must not exist.
    public var partPath: String
    /// Ask for the object as a whole: reading in pieces ends at the announced size, which may be too small.
    public var asWhole: Bool
    /// Somebody waits for it: it is read before others that were asked for, also between two pieces of one of these.
    public var isShot: Bool

    /// Creates a request.
    public init(
        folder: String, name: String, announcedSize: UInt64, partPath: String, asWhole: Bool = false,
        isShot: Bool = false
    ) {
        self.folder = folder
        self.name = name
        self.announcedSize = announcedSize
        self.partPath = partPath
        self.asWhole = asWhole
        self.isShot = isShot
    }
}

/// Bounds of live view.
public enum LiveViewLimits {
    /// Time after which live view ends when nobody asks for frames, in milliseconds: whoever looks asks several times a
    /// second.
    public static let restMs = 5_000
}
