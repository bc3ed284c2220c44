public import FoundationEssentials

/// One destination: a place that photos go to.
public struct DestinationReply: WireValue {
    /// Its name in the configuration; also its id in paths.
    public var name: DestinationName
    /// How photos get there.
    public var kind: Kind
    /// Where it is, for people: `s3://bucket/wedding at s3.example.com`. Never holds a secret.
    public var location: String
    /// What it is doing.
    public var state: State
    /// What its circuit breaker says.
    public var breaker: Breaker
    /// Since when state and breaker are as they are.
    public var since: Date
    /// Its upload jobs by state.
    public var statistics: UploadStatisticsReply
    /// Bytes sent a second, over the last seconds; 0 when nothing is sent.
    public var bytesPerSecond: Int64
    /// Why it last failed; `nil` since it last succeeded.
    @OrNull public var lastError: UploadErrorReply?
    /// Features that the destination refuses, in the order in which a test tries them.
    public var refusedFeatures: [DestinationFeatureReply]
    /// The dropped or failed uploads whose parts still have to be removed at the destination.
    public var leftovers: Int
    /// The most bytes that these parts have.
    public var leftoverBytes: Int64

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.location, "For people, without secrets"),
            .init(CodingKeys.refusedFeatures, "Features that it refuses; uploads use their fallbacks"),
            .init(CodingKeys.leftovers, "Dropped or failed uploads whose parts still have to be removed"),
            .init(CodingKeys.leftoverBytes, "The most bytes that these parts have"),
        ]
    }

    /// Creates a reply.
    public init(
        name: DestinationName, kind: Kind, location: String, state: State, breaker: Breaker = .closed,
        since: Date,
        statistics: UploadStatisticsReply = .init(), bytesPerSecond: Int64 = 0,
        lastError: UploadErrorReply? = nil, refusedFeatures: [DestinationFeatureReply] = [],
        leftovers: Int = 0, leftoverBytes: Int64 = 0
    ) {
        self.name = name
        self.kind = kind
        self.location = location
        self.state = state
        self.breaker = breaker
        self.since = since
        self.statistics = statistics
        self.bytesPerSecond = bytesPerSecond
        self._lastError = OrNull(wrappedValue: lastError)
        self.refusedFeatures = refusedFeatures
        self.leftovers = leftovers
        self.leftoverBytes = leftoverBytes
    }

    /// How photos get to a destination.
    public struct Kind: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A folder: a disk or a mount.
        public static let directory = Self(rawValue: "directory")
        /// An S3 endpoint.
        public static let s3 = Self(rawValue: "s3")
        /// OpenSSH's file transfer.
        public static let sftp = Self(rawValue: "sftp")
        /// FTP in the clear.
        public static let ftp = Self(rawValue: "ftp")
        /// FTP over TLS.
        public static let ftps = Self(rawValue: "ftps")
        /// WebDAV.
        public static let webdav = Self(rawValue: "webdav")
        /// PUT or POST to a URL.
        public static let http = Self(rawValue: "http")
        /// A remote of the user's rclone configuration.
        public static let rclone = Self(rawValue: "rclone")
        /// A program of the user's.
        public static let command = Self(rawValue: "command")

        /// Every word of this build.
        public static let all = [directory, s3, sftp, ftp, ftps, webdav, http, rclone, command]
    }

    /// What a destination is doing.
    public struct State: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Takes photos.
        public static let ready = Self(rawValue: "ready")
        /// Stopped by a person until it is resumed.
        public static let paused = Self(rawValue: "paused")
        /// Cannot be reached; asked again and again.
        public static let away = Self(rawValue: "away")
        /// Waits, because the network costs money.
        public static let metered = Self(rawValue: "metered")
        /// Refuses photos until a person changes something.
        public static let refusing = Self(rawValue: "refusing")
        /// Not in the configuration any more, with uploads that are not delivered. Without any it is over.
        public static let removed = Self(rawValue: "removed")

        /// Every word of this build.
        public static let all = [ready, paused, away, metered, refusing, removed]
    }

    /// What a circuit breaker says.
    public struct Breaker: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Photos are sent.
        public static let closed = Self(rawValue: "closed")
        /// Too many failures: nothing is sent until the next probe.
        public static let open = Self(rawValue: "open")
        /// One photo is sent to see whether it works again.
        public static let halfOpen = Self(rawValue: "half_open")

        /// Every word of this build.
        public static let all = [closed, open, halfOpen]
    }
}

/// Why an upload or a destination failed.
public struct UploadErrorReply: WireValue {
    /// When.
    public var at: Date
    /// What happened, as a sentence.
    public var sentence: String
    /// What a person can do, as a sentence; `nil` when nothing but waiting.
    @OrNull public var nextStep: String?

    /// Creates a reply.
    public init(at: Date, sentence: String, nextStep: String? = nil) {
        self.at = at
        self.sentence = sentence
        self._nextStep = OrNull(wrappedValue: nextStep)
    }
}

/// `GET /v1/destinations`.
public struct DestinationsReply: WireValue {
    /// The destinations, in the order of the configuration; then those that were removed from it and have uploads left.
    public var destinations: [DestinationReply]

    /// Creates a reply.
    public init(destinations: [DestinationReply]) {
        self.destinations = destinations
    }
}

/// `POST /v1/destinations/{id}/test`: what came of uploading and removing a probe. A failed test is an answer, not
/// an error.
public struct DestinationTestReply: WireValue {
    /// The destination's name.
    public var destination: DestinationName
    /// Whether everything worked.
    public var ok: Bool
    /// What came of it, as a sentence: what failed, and how.
    public var sentence: String
    /// What a person can do, as a sentence; `nil` when all is well.
    @OrNull public var nextStep: String?
    /// What was done, in order, a sentence each. When it failed, the last one is where.
    public var steps: [String]
    /// The features that uploads to a destination of this kind use.
    public var features: [DestinationFeatureReply]
    /// How long it took, in milliseconds.
    public var tookMs: Int

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.steps, "What was done, in order"),
            .init(CodingKeys.features, "The features that uploads to a destination of this kind use"),
        ]
    }

    /// Creates a reply.
    public init(
        destination: DestinationName, ok: Bool, sentence: String, nextStep: String? = nil,
        steps: [String] = [], features: [DestinationFeatureReply] = [], tookMs: Int = 0
    ) {
        self.destination = destination
        self.ok = ok
        self.sentence = sentence
        self._nextStep = OrNull(wrappedValue: nextStep)
        self.steps = steps
        self.features = features
        self.tookMs = tookMs
    }
}
