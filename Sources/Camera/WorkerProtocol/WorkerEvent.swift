public import FrameFastModel

/// A message from a worker to the daemon.
public enum WorkerEvent: Codable, Hashable, Sendable {
    /// The first message of every worker.
    case hello(WorkerHello)
    /// The camera is connected.
    case opened(id: UInt64, CameraFacts)
    /// A part of the object list. The list is complete if `isLast` is true. `total` is the number of objects
    /// on the card, including folders, or `nil` if it is unknown.
    case listed(id: UInt64, [CameraObject], isLast: Bool, total: Int?)
    /// The result of `reconcile`: the number of handles on the card that the worker has not reported, the
    /// total number of handles, and the number of handles whose information the camera refused to send. If
    /// `missing` is above 0, events were lost, and only a new connection lists these objects.
    case reconciled(id: UInt64, missing: Int, total: Int, refused: Int = 0)
    /// The number of bytes that the running fetch has written. Sent at most ten times a second.
    case progress(id: UInt64, bytes: UInt64)
    /// The object is in its `.part` file. All bytes are written but not fsynced.
    case fetched(id: UInt64, FetchResult)
    /// Updated facts about the camera.
    case facts(CameraFacts)
    /// The result of `readSettings`.
    case settings(id: UInt64, [CameraSetting])
    /// The result of each change of `writeSettings`, in the order of the request.
    case settingResults(id: UInt64, [CameraSettingResult])
    /// Settings that were read, each with its complete description. Changes within a tenth of a second are
    /// sent in one event. `source` is `camera` if the camera changed any of the values, and `nil` if no value
    /// changed, for example for the first values of a connection.
    case settingsChanged([CameraSetting], source: SettingSource?)
    /// The requested live-view frame.
    case frame(id: UInt64, LiveFrame)
    /// The progress of an operation. Sent at each tick and photo, each second of a bulb exposure, and at the
    /// end.
    case operation(CameraOperationProgress)
    /// The camera's clock was set.
    case clockSet(id: UInt64, CameraClockSetting)
    /// A command without a result has succeeded.
    case done(id: UInt64)
    /// A command has failed. The connection remains usable, unless the kind of the failure indicates a lost
    /// connection.
    case failed(id: UInt64, WorkerFailure)
    /// The camera announced an object.
    case objectAdded(CameraObject)
    /// The camera announced a change after which the object list should be read again.
    case listChanged(reason: String)
    /// The connection was lost: the camera was unplugged or switched off, or the network failed.
    case lost(WorkerFailure)
    /// A heartbeat with the current activity of the driver thread. Sent every second while the driver is
    /// busy, and every other second while it is idle.
    case heartbeat(WorkerHeartbeat)

    /// The name of the event's case. `Mirror` can read the name because every case has an associated value.
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
    /// The SHA-256 of the `.part` file, in lower-case hexadecimal.
    public var sha256: String
    /// The time during which the transfer occupied the camera's link, in milliseconds.
    public var transferMs: Int

    /// Creates a result.
    public init(bytes: UInt64, sha256: String, transferMs: Int) {
        self.bytes = bytes
        self.sha256 = sha256
        self.transferMs = transferMs
    }
}

/// The reason for a failed command, classified for the daemon.
public struct WorkerFailure: Codable, Hashable, Sendable, Error {
    /// A kind of failure.
    public enum Kind: String, Codable, Sendable {
        /// The cable, power or network was disconnected. Only a new connection helps.
        case disconnected
        /// The camera did not respond in time.
        case timeout
        /// Another program has opened the camera (libgphoto2 −53), or the camera is busy (−110).
        case busy
        /// The worker has no permission to open the device.
        case permission
        /// The camera refused the request, or the driver failed to perform it. The connection may still be
        /// usable.
        case refused
        /// A running operation occupies the camera. The text is the operation's kind
        /// (``FrameFastModel/CameraOperation/Kind``).
        case occupied
        /// The camera could not focus.
        case notFocused
        /// The object is not on the camera, or was deleted from it.
        case objectGone
        /// The camera or the driver does not support the request.
        case unsupported
        /// The host could not write the `.part` file because the disk is full.
        case diskFull
        /// The host's file system does not allow a file of this size (EFBIG). FAT32 allows 4 GiB.
        case fileTooLarge
        /// The host could not write the `.part` file for another reason.
        case hostIO
        /// The received data is shorter or longer than announced, or empty.
        case corrupt
        /// The object is larger than the driver can transfer over this link.
        case tooLarge
        /// No driver supports this camera.
        case noDriver
        /// The command requires the packets between driver and camera, but this version of libgphoto2 logs
        /// packets in an unknown format.
        case unguarded
    }

    /// The kind of failure.
    public var kind: Kind
    /// The libgphoto2 error code, or 0 if the failure has another source.
    public var code: Int32
    /// The name of the activity that failed, for example `open` or `fetch`.
    public var during: String
    /// The library's message.
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
    /// The value of ``during`` if the driver failed while it read a photo.
    public static let fetching = "fetch"

    /// Whether the driver received no response from the camera. The driver reports a timeout (−10), or an I/O
    /// error (−7) if it sent a request and waited for the response (`ptp_usb_getresp` in camlibs/ptp2/usb.c).
    public var meansMissingResponse: Bool { code == -10 || code == -7 }

    /// The failure to open a camera because a worker of an earlier daemon is still connected to the camera.
    public static let earlierWorkerIsEnding = WorkerFailure(
        kind: .busy, during: "open",
        text: "an exposure or live view that started before the service was killed is still running")
}

/// The current activity of a worker's driver thread.
public struct WorkerHeartbeat: Codable, Hashable, Sendable {
    /// The name of the running driver call, or `nil` if no call is running.
    public var call: String?
    /// The duration of that call, in milliseconds.
    public var runningMs: Int
    /// The time since the call's last packet on the camera's link, in milliseconds, or `nil` if the call has
    /// transferred no packet yet.
    public var silentMs: Int?

    /// Creates a heartbeat.
    public init(call: String?, runningMs: Int, silentMs: Int?) {
        self.call = call
        self.runningMs = runningMs
        self.silentMs = silentMs
    }
}
