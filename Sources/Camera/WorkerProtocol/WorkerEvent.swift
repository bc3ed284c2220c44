public import FrameFastModel

/// A message from a worker to the daemon.
public enum WorkerEvent: Codable, Hashable, Sendable {
    /// The first message of every worker.
    case hello(WorkerHello)
    /// The camera is connected.
    case opened(id: UInt64, CameraFacts)
    /// A part of the object list. The list is complete when `isLast` is true. `total` is the number of
    /// objects on the card, including folders, or `nil` if it is unknown.
    case listed(id: UInt64, [CameraObject], isLast: Bool, total: Int?)
    /// The result of `reconcile`: the number of handles on the card that the driver does not know, and the
    /// total number of handles. If `missing` is above 0, events were lost: only a new connection lists those
    /// objects.
    case reconciled(id: UInt64, missing: Int, total: Int)
    /// The bytes of the running fetch that are written so far. At most ten such events a second.
    case progress(id: UInt64, bytes: UInt64)
    /// The object is in its `.part` file. Every byte is written, but not fsynced.
    case fetched(id: UInt64, FetchResult)
    /// Updated facts about the camera.
    case facts(CameraFacts)
    /// The result of `readSettings`.
    case settings(id: UInt64, [CameraSetting])
    /// The result of each change, in the order of the request.
    case settingResults(id: UInt64, [CameraSettingResult])
    /// New values of settings, each with its complete description. Changes within a tenth of a second arrive
    /// in one event. `source` is `camera` if the camera changed one of the values, and `nil` if no value
    /// changed.
    case settingsChanged([CameraSetting], source: SettingSource?)
    /// The frame that the daemon ordered.
    case frame(id: UInt64, LiveFrame)
    /// The progress of an operation: sent at each tick and photo, each second of a bulb exposure, and at the
    /// end.
    case operation(CameraOperationProgress)
    /// The camera's clock was set.
    case clockSet(id: UInt64, CameraClockSetting)
    /// A command without a result succeeded.
    case done(id: UInt64)
    /// A command failed. The connection remains usable unless `failure.kind` says otherwise.
    case failed(id: UInt64, WorkerFailure)
    /// The camera announced an object.
    case objectAdded(CameraObject)
    /// The camera announced a change after which the object list should be read again.
    case listChanged(reason: String)
    /// The connection was lost: the camera was unplugged or switched off, or the network failed.
    case lost(WorkerFailure)
    /// A sign of life with the current activity of the driver thread. Sent every second while the driver is
    /// busy.
    case pulse(WorkerPulse)

    /// The name of the event's case. `Mirror` finds it because every case has an associated value.
    var caseName: String { Mirror(reflecting: self).children.first?.label ?? "event" }
}

/// The identity and version of a worker.
public struct WorkerHello: Codable, Hashable, Sendable {
    /// The version of the worker protocol. The daemon rejects other versions.
    public var protocolVersion: Int
    /// The process id of the worker.
    public var pid: Int32
    /// The version of libgphoto2.
    public var libraryVersion: String

    /// Creates a hello message.
    public init(protocolVersion: Int, pid: Int32, libraryVersion: String) {
        self.protocolVersion = protocolVersion
        self.pid = pid
        self.libraryVersion = libraryVersion
    }
}

/// The result of a fetch.
public struct FetchResult: Codable, Hashable, Sendable {
    /// The size of the `.part` file, in bytes.
    public var bytes: UInt64
    /// The SHA-256 of those bytes as the driver delivered them, in lower-case hex.
    public var sha256: String
    /// The time that the transfer used the camera's link, in milliseconds.
    public var transferMs: Int

    /// Creates a result.
    public init(bytes: UInt64, sha256: String, transferMs: Int) {
        self.bytes = bytes
        self.sha256 = sha256
        self.transferMs = transferMs
    }
}

/// The reason for a failed command, in terms that the daemon can act on.
public struct WorkerFailure: Codable, Hashable, Sendable, Error {
    /// A kind of failure.
    public enum Kind: String, Codable, Sendable {
        /// The cable, power or network is gone. Only a new connection helps.
        case disconnected
        /// The camera did not answer in time.
        case timeout
        /// Another program has opened the camera (libgphoto2 −53), or the camera is busy (−110).
        case busy
        /// The worker has no permission to open the device.
        case permission
        /// The camera refused, or the driver gave up on this request. The connection may be fine.
        case refused
        /// An operation keeps the camera busy. The text is its kind
        /// (``FrameFastModel/CameraOperation/Kind``).
        case occupied
        /// The camera could not focus.
        case notFocused
        /// The object is not on the camera, or no longer.
        case objectGone
        /// The camera or the driver does not support the request.
        case unsupported
        /// The host could not write the `.part` file: disk full.
        case diskFull
        /// The host could not write the `.part` file: any other reason.
        case hostIO
        /// The received data does not match the announcement: it is shorter, longer or empty.
        case corrupt
        /// The object is larger than the driver can transfer over this link.
        case tooLarge
        /// No driver for this camera.
        case noDriver
        /// The command needs the packets between driver and camera, but this version of the library does not
        /// expose them in a known form.
        case unguarded
    }

    /// The kind of failure.
    public var kind: Kind
    /// The libgphoto2 error code, or 0 if the failure is not from the library.
    public var code: Int32
    /// The worker's activity, for example `open` or `fetch`.
    public var during: String
    /// The library's message, from the GPContext error callback if it was called.
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
    /// The failure for a camera on which an earlier worker, which has lost its daemon, is still closing its
    /// connection.
    public static let earlierWorkerIsEnding = WorkerFailure(
        kind: .busy, during: "open",
        text: "an exposure or live view from before the service was killed is still finishing")
}

/// The current activity of a worker's driver thread.
public struct WorkerPulse: Codable, Hashable, Sendable {
    /// The name of the driver call in progress, or `nil` between calls.
    public var call: String?
    /// The duration of that call so far, in milliseconds.
    public var runningMs: Int
    /// The time since the call's last packet on the camera's link, in milliseconds, or `nil` if the call had
    /// no packet yet.
    public var silentMs: Int?

    /// Creates a pulse.
    public init(call: String?, runningMs: Int, silentMs: Int?) {
        self.call = call
        self.runningMs = runningMs
        self.silentMs = silentMs
    }
}
