public import FrameFastModel

/// What a worker tells the daemon.
public enum WorkerEvent: Codable, Hashable, Sendable {
    /// First frame of every worker.
    case hello(WorkerHello)
    /// The camera is connected.
    case opened(id: UInt64, CameraFacts)
    /// A part of the object list, as it is read. The list is complete when `isLast` is true. `total`: objects on the
    /// card in all, folders included; `nil` when that is not known.
    case listed(id: UInt64, [CameraObject], isLast: Bool, total: Int?)
    /// Result of `reconcile`: handles on the card that the driver does not know, and how many there are in all.
    /// `missing` > 0 means events were lost: only a new session lists those objects.
    case reconciled(id: UInt64, missing: Int, total: Int)
    /// Bytes of the running fetch that are written so far. At most ten a second.
    case progress(id: UInt64, bytes: UInt64)
    /// The object is in its `.part` file, every byte written (not fsynced).
    case fetched(id: UInt64, FetchResult)
    /// New values of the camera's own facts.
    case facts(CameraFacts)
    /// What was asked for of the camera's settings.
    case settings(id: UInt64, [CameraSetting])
    /// What became of changes, in the order in which they were given.
    case settingResults(id: UInt64, [CameraSettingResult])
    /// Settings have other values now: these keys, each with its whole new value. Changes within a tenth of a second come
    /// together. `source`: `camera` if the camera changed one of the values; `nil` if no value changed.
    case settingsChanged([CameraSetting], source: SettingSource?)
    /// The frame that was asked for.
    case frame(id: UInt64, LiveFrame)
    /// How far an operation is: each tick and photo, a second of a bulb, and its end.
    case operation(CameraOperationProgress)
    /// The camera's clock was set.
    case clockSet(id: UInt64, CameraClockSetting)
    /// A command without a result of its own succeeded.
    case done(id: UInt64)
    /// A command failed. The session lives on unless `failure.kind` says that it is gone.
    case failed(id: UInt64, WorkerFailure)
    /// The camera announced an object.
    case objectAdded(CameraObject)
    /// The camera announced something that makes the object list worth another look.
    case listChanged(reason: String)
    /// The session ended without being asked to (unplugged, switched off, network gone).
    case lost(WorkerFailure)
    /// Sent every second: the worker lives, and this is what its driver thread is doing.
    case pulse(WorkerPulse)

    /// What kind of event it is, in one word: its case. Each case carries something, and so has its name as a label.
    var word: String { Mirror(reflecting: self).children.first?.label ?? "event" }
}

/// Who a worker is.
public struct WorkerHello: Codable, Hashable, Sendable {
    /// Version of this protocol; the daemon refuses another one.
    public var protocolVersion: Int
    /// Process id of the worker.
    public var pid: Int32
    /// Version of libgphoto2.
    public var libraryVersion: String

    /// Creates a hello.
    public init(protocolVersion: Int, pid: Int32, libraryVersion: String) {
        self.protocolVersion = protocolVersion
        self.pid = pid
        self.libraryVersion = libraryVersion
    }
}

/// A fetched object.
public struct FetchResult: Codable, Hashable, Sendable {
    /// Bytes in the `.part` file.
    public var bytes: UInt64
    /// SHA-256 of those bytes as they came from the driver, lower-case hex.
    public var sha256: String
    /// Time on the camera's link, in milliseconds.
    public var transferMs: Int

    /// Creates a result.
    public init(bytes: UInt64, sha256: String, transferMs: Int) {
        self.bytes = bytes
        self.sha256 = sha256
        self.transferMs = transferMs
    }
}

/// Why a command failed, in terms that the daemon can act on.
public struct WorkerFailure: Codable, Hashable, Sendable, Error {
    /// What kind of failure it is.
    public enum Kind: String, Codable, Sendable {
        /// Cable, power or network is gone: only a new session helps.
        case disconnected
        /// The camera did not answer in time.
        case timeout
        /// Another program holds the camera (libgphoto2 −53) or the camera is busy (−110).
        case busy
        /// No permission to open the device.
        case permission
        /// The camera refused, or the driver gave up on this one request. The session may be fine.
        case refused
        /// An operation keeps the camera busy; the text is its kind (``FrameFastModel/CameraOperation/Kind``).
        case occupied
        /// The camera found no focus.
        case notFocused
        /// The object is not there (any more).
        case objectGone
        /// The camera or driver cannot do this at all.
        case unsupported
        /// The host could not write the `.part` file: disk full.
        case diskFull
        /// The host could not write the `.part` file: any other reason.
        case hostIO
        /// What came is not what was announced (short, longer, empty).
        case corrupt
        /// The object is larger than the driver can bring over this link.
        case tooLarge
        /// No driver for this camera.
        case noDriver
        /// It needs the packets between driver and camera, and the library does not show them in a form that the worker knows.
        case unguarded
    }

    /// What kind of failure it is.
    public var kind: Kind
    /// libgphoto2's number, 0 when it was not the library.
    public var code: Int32
    /// What the worker was doing, for example `open` or `fetch`.
    public var during: String
    /// The library's own words, from the GPContext error callback where there were any.
    public var text: String

    /// Creates a failure.
    public init(kind: Kind, code: Int32 = 0, during: String, text: String) {
        self.kind = kind
        self.code = code
        self.during = during
        self.text = text
    }
}

extension WorkerFailure {
    /// Another worker, which has lost its daemon, still has a session with the camera.
    public static let isStillEnding = WorkerFailure(
        kind: .busy, during: "open",
        text: "an exposure or live view from before the service was killed is still ending")
}

/// What a worker's driver thread is doing now.
public struct WorkerPulse: Codable, Hashable, Sendable {
    /// Name of the driver call in progress; `nil` between calls.
    public var call: String?
    /// How long that call has run, in milliseconds.
    public var runningMs: Int
    /// How long ago the last packet of that call went over the camera's link, in milliseconds; `nil` when it had
    /// none yet.
    public var silentMs: Int?

    /// Creates a pulse.
    public init(call: String?, runningMs: Int, silentMs: Int?) {
        self.call = call
        self.runningMs = runningMs
        self.silentMs = silentMs
    }
}
