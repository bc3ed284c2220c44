public import FoundationEssentials

/// Everything at a glance: `GET /v1/status`, and the first event of a stream.
public struct StatusReply: WireValue {
    /// Version of the daemon.
    public var version: String
    /// What the daemon is doing.
    public var state: State
    /// When the daemon started.
    public var startedAt: Date
    /// Every camera, configured or found, in a stable order.
    public var cameras: [CameraReply]
    /// The running session; `nil` between sessions.
    @OrNull public var session: SessionReply?
    /// Counts of saved photos.
    public var captures: CaptureStatisticsReply
    /// The disk that photos go to.
    public var disk: DiskReply
    /// Upload jobs by state.
    public var uploads: UploadStatisticsReply
    /// Every destination, in the order of the configuration; then those that were removed from it and have uploads left.
    public var destinations: [DestinationReply]
    /// What needs to be known, worst first.
    public var conditions: [ConditionReply]

    /// Creates a reply.
    public init(
        version: String, state: State, startedAt: Date, cameras: [CameraReply] = [],
        session: SessionReply? = nil, captures: CaptureStatisticsReply = .init(), disk: DiskReply,
        uploads: UploadStatisticsReply = .init(), destinations: [DestinationReply] = [],
        conditions: [ConditionReply] = []
    ) {
        self.version = version
        self.state = state
        self.startedAt = startedAt
        self.cameras = cameras
        self._session = OrNull(wrappedValue: session)
        self.captures = captures
        self.disk = disk
        self.uploads = uploads
        self.destinations = destinations
        self.conditions = conditions
    }

    /// What the daemon is doing.
    public struct State: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Repairing and opening; photos are not taken in yet.
        public static let starting = Self(rawValue: "starting")
        /// Serving.
        public static let running = Self(rawValue: "running")

        /// Every word of this build.
        public static let all = [starting, running]
    }
}

/// Counts of saved photos.
public struct CaptureStatisticsReply: WireValue {
    /// Shots ever saved here: a RAW and its JPEG are one.
    public var shots: Int
    /// Shots saved since midnight, host time.
    public var shotsToday: Int
    /// Shots saved in the last 60 seconds.
    public var shotsPerMinute: Int
    /// Files ever saved here.
    public var total: Int
    /// Files saved since midnight, host time.
    public var today: Int
    /// Bytes of all files ever saved here.
    public var bytes: Int64
    /// What is asked of each photo's bytes: `structure` or `reread`, as `capture.verify` has it.
    public var verify: String
    /// Saved photos whose second reading is still to come.
    public var awaitingReread: Int

    /// What the document says of its fields.
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

/// The disk that photos go to.
public struct DiskReply: WireValue {
    /// The capture directory.
    public var directory: String
    /// Free bytes on its file system; 0 while `guard` is `away`.
    public var freeBytes: Int64
    /// Below this many free bytes no photo is taken in.
    public var minFreeBytes: Int64
    /// Size of its file system in bytes; `nil` when it does not tell.
    @OrNull public var totalBytes: Int64?
    /// What the free-space guard says.
    public var `guard`: Guard

    /// Creates a reply.
    public init(
        directory: String, freeBytes: Int64, minFreeBytes: Int64, totalBytes: Int64? = nil, guard: Guard
    ) {
        self.directory = directory
        self.freeBytes = freeBytes
        self.minFreeBytes = minFreeBytes
        self._totalBytes = OrNull(wrappedValue: totalBytes)
        self.guard = `guard`
    }

    /// What the free-space guard says.
    public struct Guard: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Enough space.
        public static let ok = Self(rawValue: "ok")
        /// Getting short; photos are still taken in.
        public static let low = Self(rawValue: "low")
        /// Too short: photos stay on the camera until there is space.
        public static let full = Self(rawValue: "full")
        /// The folder is away or cannot be used: free bytes are not known.
        public static let away = Self(rawValue: "away")

        /// Every word of this build.
        public static let all = [ok, low, full, away]
    }
}

/// Upload jobs by state.
public struct UploadStatisticsReply: WireValue {
    /// Held by mode, rule or because the network is away.
    public var held: Int
    /// Queued.
    public var queued: Int
    /// On their way.
    public var uploading: Int
    /// Sent, being checked on the other side.
    public var verifying: Int
    /// Delivered.
    public var delivered: Int
    /// Failed, to be tried again.
    public var retrying: Int
    /// Given up: a person has to decide.
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
