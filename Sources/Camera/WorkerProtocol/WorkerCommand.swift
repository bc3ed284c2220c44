public import FrameFastModel

/// A request from the daemon to a worker. The worker replies to every command except `close` with events that
/// contain the command's `id`.
public enum WorkerCommand: Codable, Hashable, Sendable {
    /// Connects to the camera. Reply: `opened` or `failed`. After `failed`, the worker accepts another
    /// `open`.
    case open(id: UInt64, OpenRequest)
    /// Lists every file on the camera. Reply: one or more `listed`, the last with `isLast`, or `failed`. The
    /// worker reads a large card in portions and handles other commands between them.
    case list(id: UInt64)
    /// Reads all object handles from the camera in a single transaction, and compares them with the handles
    /// that the worker has reported. Reply: `reconciled` or `failed`.
    case reconcile(id: UInt64)
    /// Streams one object into a file. Reply: any number of `progress`, then `fetched` or `failed`.
    case fetch(id: UInt64, FetchRequest)
    /// Deletes one object from the camera if the camera's description of the object is unchanged. If it has
    /// changed, the handle and the name may belong to another photo. Reply: `done` or `failed`.
    case delete(id: UInt64, CameraObject)
    /// Releases the shutter. During a fetch, the worker handles this command between two chunks. Reply:
    /// `done` or `failed`.
    case trigger(id: UInt64)
    /// Reads battery, storages and clock again. Reply: `done`, after `facts` if the facts have changed; or
    /// `failed`.
    case refresh(id: UInt64)
    /// Reads settings by FrameFast's keys or the driver's names. An empty list reads every key that the
    /// camera supports. Reply: `settings`, with only the settings that the camera has, or `failed`.
    case readSettings(id: UInt64, names: [String])
    /// Changes settings, in the order of ``CameraSettingKey``. Reply: `settingResults`, with one result for
    /// each change in the order of the request, or `failed` if the connection is lost.
    case writeSettings(id: UInt64, CameraSettingsCommand)
    /// Sets the camera's clock to the wall time of a zone, given in seconds east of UTC. `isAutomatic`
    /// indicates that the service sets the clock on its own, as in
    /// ``FrameFastModel/CameraSettingsCommand/isAutomatic``. Reply: `clockSet` or `failed`.
    case setClock(id: UInt64, zoneOffsetSeconds: Int, isAutomatic: Bool = false)
    /// Starts an operation and ends live view. Reply: `done` after the operation has started, or `failed`.
    /// The failure kind is `occupied` if another operation is running. The worker reports progress with
    /// `operation` events.
    case begin(id: UInt64, CameraOperation)
    /// Ends the running operation or live view. Closes the shutter and restores the changed settings. Reply:
    /// `done`, even if no operation is running and live view is off.
    case end(id: UInt64)
    /// Autofocuses or moves the focus. Reply: `done` or `failed`.
    case focus(id: UInt64, FocusCommand)
    /// Sends the next frame of live view. The first request starts live view. Live view ends if no frame is
    /// requested for ``LiveViewLimits/restMs``. Reply: `frame` or `failed`. Photos have priority over frames.
    case liveFrame(id: UInt64, LiveFrameCommand)
    /// Closes the connection cleanly and exits with status 0.
    case close
}

/// The parameters of a connection to a camera.
public struct OpenRequest: Codable, Hashable, Sendable {
    /// The libgphoto2 port path: `usb:001,004` or `ptpip:192.168.1.5:15740`.
    public var port: String
    /// The PTP handles of objects that crashed earlier workers. The worker hides these objects from the
    /// driver in listings and events.
    public var quarantinedHandles: [UInt32]
    /// The process ids of earlier workers in which the driver crashed. If an earlier worker crashed while it
    /// restored or automatically changed a setting, the new worker skips this setting.
    public var crashedWorkers: [Int32]
    /// The time zone of the camera's clock.
    public var zone: ZoneOffsets
    /// The target for photos while the camera is connected. The worker restores the camera's own setting at
    /// the end of the connection.
    public var captureTarget: CaptureTarget
    /// The policy that decides whether transfers wait while the photographer is shooting.
    public var shutterWait: ShutterWait
    /// The profiles of all makers. The worker selects a profile after it has opened the camera.
    public var profiles: [MakerProfile]

    private enum CodingKeys: String, CodingKey {
        case port, quarantinedHandles, crashedWorkers, zone, captureTarget, shutterWait
        case profiles = "habits"
    }

    /// Creates a request.
    public init(
        port: String, quarantinedHandles: [UInt32] = [], crashedWorkers: [Int32] = [],
        zone: ZoneOffsets = ZoneOffsets(seconds: 0), captureTarget: CaptureTarget = .card,
        shutterWait: ShutterWait = .auto, profiles: [MakerProfile] = []
    ) {
        self.port = port
        self.quarantinedHandles = quarantinedHandles
        self.crashedWorkers = crashedWorkers
        self.zone = zone
        self.captureTarget = captureTarget
        self.shutterWait = shutterWait
        self.profiles = profiles
    }
}

/// The object to stream, and its destination.
public struct FetchRequest: Codable, Hashable, Sendable {
    /// The object's folder, as in the listing.
    public var folder: String
    /// The object's name, as in the listing.
    public var name: String
    /// The size that the camera announced, in bytes.
    public var announcedSize: UInt64
    /// The absolute path of the `.part` file. The worker creates the file and fails if it already exists.
    public var partPath: String
    /// Whether to read the object as a whole. Reading in chunks ends at the announced size, which may be too
    /// small.
    public var asWhole: Bool
    /// Whether the object is a new shot. The worker reads a new shot before other requested objects, even
    /// between two chunks of another object.
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

/// Limits of live view.
public enum LiveViewLimits {
    /// The time without a frame request after which live view ends, in milliseconds. A viewer requests
    /// several frames per second.
    public static let restMs = 5_000
}
