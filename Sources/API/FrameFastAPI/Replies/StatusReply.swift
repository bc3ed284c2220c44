public import FoundationEssentials

/// The state of the whole service: `GET /v1/status`, and the first event of a stream.
public struct StatusReply: WireValue {
    /// The version of the daemon.
    public var version: String
    /// The state of the daemon.
    @Word public var state: State?
    /// The time when the daemon started.
    public var startedAt: Date
    /// Every camera, configured or found, in a stable order.
    public var cameras: [CameraReply]
    /// The running session, or `nil` between sessions.
    @OrNull public var session: SessionReply?
    /// The counts of saved photos.
    public var captures: CaptureStatisticsReply
    /// The disk of the capture directory.
    public var disk: DiskReply
    /// The number of uploads by state.
    public var uploads: UploadStatisticsReply
    /// The configured destinations in the order of the configuration, then removed destinations that have
    /// uploads left.
    public var destinations: [DestinationReply]
    /// The conditions, worst first.
    public var conditions: [ConditionReply]

    /// Creates a reply.
    public init(
        version: String, state: State, startedAt: Date, cameras: [CameraReply] = [],
        session: SessionReply? = nil, captures: CaptureStatisticsReply = .init(), disk: DiskReply,
        uploads: UploadStatisticsReply = .init(), destinations: [DestinationReply] = [],
        conditions: [ConditionReply] = []
    ) {
        self.version = version
        self._state = Word(state)
        self.startedAt = startedAt
        self.cameras = cameras
        self._session = OrNull(wrappedValue: session)
        self.captures = captures
        self.disk = disk
        self.uploads = uploads
        self.destinations = destinations
        self.conditions = conditions
    }

    /// The state of the daemon.
    public typealias State = DaemonState
}

/// The counts of saved photos.
public struct CaptureStatisticsReply: WireValue {
    /// The number of shots ever saved on this computer. A RAW and its JPEG are one shot.
    public var shots: Int
    /// The number of shots saved since midnight, host time.
    public var shotsToday: Int
    /// The number of shots saved in the last 60 seconds.
    public var shotsPerMinute: Int
    /// The number of files ever saved on this computer.
    public var total: Int
    /// The number of files saved since midnight, host time.
    public var today: Int
    /// The size of all files ever saved on this computer, in bytes.
    public var bytes: Int64
    /// The required verification of each photo: `structure` or `reread`, as in `capture.verify`.
    public var verify: String
    /// The number of saved photos that wait for their second read.
    public var awaitingReread: Int

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.verify, examples: ["structure", "reread"])
        ]
    }

    /// Creates statistics.
    public init(
        shots: Int = 0, shotsToday: Int = 0, shotsPerMinute: Int = 0, total: Int = 0, today: Int = 0,
        bytes: Int64 = 0, verify: String = "structure", awaitingReread: Int = 0
    ) {
        self.shots = shots
        self.shotsToday = shotsToday
        self.shotsPerMinute = shotsPerMinute
        self.verify = verify
        self.awaitingReread = awaitingReread
        self.total = total
        self.today = today
        self.bytes = bytes
    }
}

/// The disk of the capture directory.
public struct DiskReply: WireValue {
    /// The capture directory.
    public var directory: String
    /// The free space of the file system, in bytes, or 0 while `guard` is `away`.
    public var freeBytes: Int64
    /// The free space, in bytes, below which the daemon accepts no photos.
    public var minFreeBytes: Int64
    /// The size of the file system, in bytes, or `nil` if it is not known.
    @OrNull public var totalBytes: Int64?
    /// The state of the free space.
    @Word public var `guard`: Guard?

    /// Creates a reply.
    public init(
        directory: String, freeBytes: Int64, minFreeBytes: Int64, totalBytes: Int64? = nil, guard: Guard
    ) {
        self.directory = directory
        self.freeBytes = freeBytes
        self.minFreeBytes = minFreeBytes
        self._totalBytes = OrNull(wrappedValue: totalBytes)
        self._guard = Word(`guard`)
    }

    /// The state of the free space.
    public typealias Guard = DiskLevel
}

/// The number of uploads by state.
public struct UploadStatisticsReply: WireValue {
    /// The number of held uploads. A mode, a rule or a person holds an upload.
    public var held: Int
    /// The number of uploads that wait in the queue.
    public var queued: Int
    /// The number of uploads that are being sent.
    public var uploading: Int
    /// The number of sent uploads that are being verified at the destination.
    public var verifying: Int
    /// The number of delivered uploads.
    public var delivered: Int
    /// The number of failed uploads that wait for a retry.
    public var retrying: Int
    /// The number of uploads that failed permanently and wait for a person's decision.
    public var failed: Int

    /// Creates statistics.
    public init(
        held: Int = 0, queued: Int = 0, uploading: Int = 0, verifying: Int = 0, delivered: Int = 0,
        retrying: Int = 0, failed: Int = 0
    ) {
        self.held = held
        self.queued = queued
        self.uploading = uploading
        self.verifying = verifying
        self.delivered = delivered
        self.retrying = retrying
        self.failed = failed
    }
}
