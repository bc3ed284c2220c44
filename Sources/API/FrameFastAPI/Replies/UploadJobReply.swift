public import FoundationEssentials

/// One photo on its way to one destination.
public struct UploadJobReply: WireValue {
    /// The job's number.
    public var id: JobID
    /// The photo's number.
    public var capture: CaptureID
    /// The camera's own name for the photo: data, to be escaped before it reaches a terminal.
    public var originalName: String
    /// Absolute path of the file here.
    public var path: String
    /// Id of the camera, as in ``CameraReply/id``.
    public var cameraID: CameraID
    /// What people call the camera.
    public var cameraName: String
    /// Id of the session; `nil` when there was none.
    @OrNull public var session: SessionID?
    /// Name of the destination.
    public var destination: DestinationName
    /// Whether the destination is no longer in the configuration, so that nothing happens to the job.
    public var isRemoved: Bool
    /// How far it is.
    public var state: State
    /// What holds it back; `nil` unless it is held.
    @OrNull public var hold: Hold?
    /// Why it is held, waiting or failed, as a sentence; `nil` otherwise.
    @OrNull public var reason: String?
    /// What a person can do about it, as a sentence; `nil` when nothing but waiting.
    @OrNull public var nextStep: String?
    /// Attempts that were begun. An outage does not use any up.
    public var attempts: Int
    /// When it is tried again; `nil` unless it is waiting for that.
    @OrNull public var retryAt: Date?
    /// Size of the file in bytes.
    public var bytes: Int64
    /// Bytes that are at the destination so far.
    public var bytesSent: Int64
    /// How the remote copy was verified: `checksum`, `size`, `word`; `nil` before it is delivered.
    @OrNull public var proof: Proof?
    /// What was compared, for example `etag 9e107d9d…`; `nil` before it is delivered.
    @OrNull public var evidence: String?
    /// Name at the destination; `nil` before it is decided.
    @OrNull public var remoteName: String?
    /// When it last changed.
    public var updatedAt: Date

    private enum CodingKeys: String, CodingKey {
        case id, capture, originalName, path
        case cameraID = "cameraId"
        case cameraName, session, destination, isRemoved, state, hold, reason, nextStep, attempts, retryAt,
            bytes, bytesSent
        case proof, evidence, remoteName, updatedAt
    }

    /// What the document says of it.
    public static let summary = "One photo on its way to one destination"
    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.originalName, "From the camera: escape it before it reaches a terminal"),
            .init(CodingKeys.isRemoved, "Whether the destination is no longer configured"),
        ]
    }

    /// Creates a reply; everything that is not known yet is left out.
    public init(
        id: JobID, capture: CaptureID, originalName: String, path: String, cameraID: CameraID,
        cameraName: String,
        session: SessionID? = nil, destination: DestinationName, isRemoved: Bool = false, state: State,
        hold: Hold? = nil, reason: String? = nil,
        nextStep: String? = nil, attempts: Int = 0,
        retryAt: Date? = nil, bytes: Int64, bytesSent: Int64 = 0, proof: Proof? = nil,
        evidence: String? = nil, remoteName: String? = nil, updatedAt: Date
    ) {
        self.id = id
        self.capture = capture
        self.originalName = originalName
        self.path = path
        self.cameraID = cameraID
        self.cameraName = cameraName
        self._session = OrNull(wrappedValue: session)
        self.destination = destination
        self.isRemoved = isRemoved
        self.state = state
        self._hold = OrNull(wrappedValue: hold)
        self._reason = OrNull(wrappedValue: reason)
        self._nextStep = OrNull(wrappedValue: nextStep)
        self.attempts = attempts
        self._retryAt = OrNull(wrappedValue: retryAt)
        self.bytes = bytes
        self.bytesSent = bytesSent
        self._proof = OrNull(wrappedValue: proof)
        self._evidence = OrNull(wrappedValue: evidence)
        self._remoteName = OrNull(wrappedValue: remoteName)
        self.updatedAt = updatedAt
    }

    /// How far an upload is.
    public struct State: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Kept back by the mode, a rule or a person.
        public static let held = Self(rawValue: "held")
        /// Goes out as soon as it is its turn.
        public static let queued = Self(rawValue: "queued")
        /// On its way.
        public static let uploading = Self(rawValue: "uploading")
        /// Sent, being checked on the other side.
        public static let verifying = Self(rawValue: "verifying")
        /// There, and verified.
        public static let delivered = Self(rawValue: "delivered")
        /// Failed, tried again at ``UploadJobReply/retryAt``.
        public static let retrying = Self(rawValue: "retrying")
        /// Given up: a person has to decide.
        public static let failed = Self(rawValue: "failed")

        /// Every word of this build.
        public static let all = [held, queued, uploading, verifying, delivered, retrying, failed]
        /// Every state of this build in which something is still to be done.
        public static let open = all.filter { $0 != delivered }
    }

    /// What holds an upload back.
    public struct Hold: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The session uploads nothing for now.
        public static let offline = Self(rawValue: "offline")
        /// A RAW file that lets the pictures go first.
        public static let jpegFirst = Self(rawValue: "jpeg-first")
        /// Neither rated high enough nor protected in the camera.
        public static let unrated = Self(rawValue: "unrated")
        /// The session uploads only what a person adds.
        public static let manual = Self(rawValue: "manual")
        /// Its time has not come yet.
        public static let scheduled = Self(rawValue: "scheduled")
        /// A person held it.
        public static let person = Self(rawValue: "person")
        /// The photo is older than the session that ran when it was found. Such uploads are released only by their numbers.
        public static let unsorted = Self(rawValue: "unsorted")

        /// Every word of this build.
        public static let all = [offline, jpegFirst, unrated, manual, scheduled, person, unsorted]
    }

    /// How a remote copy was verified.
    public struct Proof: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A checksum of the remote bytes equals ours.
        public static let checksum = Self(rawValue: "checksum")
        /// The remote size equals ours.
        public static let size = Self(rawValue: "size")
        /// The other side said that it has it.
        public static let word = Self(rawValue: "word")

        /// Every word of this build.
        public static let all = [checksum, size, word]
    }
}

/// One page of `GET /v1/uploads`, newest job first.
public struct UploadsReply: WireValue {
    /// The jobs of this page.
    public var jobs: [UploadJobReply]
    /// Ask for the next page with this; `nil` on the last page.
    @OrNull public var nextCursor: String?

    /// Creates a page.
    public init(jobs: [UploadJobReply], nextCursor: String? = nil) {
        self.jobs = jobs
        self._nextCursor = OrNull(wrappedValue: nextCursor)
    }
}

/// Which upload jobs to list.
public struct UploadsQuery: WireRequest {
    /// Most jobs a page may hold: at about 700 bytes each, under a megabyte of JSON.
    public static let limitMax = 1000
    /// Jobs in a page when nothing is said.
    public static let limitDefault = 100

    /// Jobs in a page, 1...``limitMax``.
    public var limit: Int
    /// Where to go on: the last page's `next_cursor`; `nil` for the newest.
    public var cursor: String?
    /// Only jobs in one of these states; empty for all. On the wire a list with commas: `state=held,queued`.
    public var states: [UploadJobReply.State]
    /// Only jobs to this destination.
    public var destination: DestinationName?
    /// Only jobs of this session's photos.
    public var session: SessionID?
    /// Only jobs of photos of the camera with this id.
    public var camera: CameraReference?

    private enum CodingKeys: String, CodingKey {
        case limit, cursor
        case states = "state"
        case destination, session, camera
    }

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.limit, range: 1...Int64(limitMax), standard: limitDefault),
            .init(CodingKeys.cursor, "next_cursor of the page before"),
            .init(CodingKeys.states, "One state or several: held,queued"),
            .init(CodingKeys.session, range: 1...Int64.max),
            .init(CodingKeys.camera, "Id or name of the camera"),
        ]
    }

    /// Creates a query.
    public init(
        limit: Int = UploadsQuery.limitDefault, cursor: String? = nil, states: [UploadJobReply.State] = [],
        destination: DestinationName? = nil, session: SessionID? = nil, camera: CameraReference? = nil
    ) {
        self.limit = limit
        self.cursor = cursor
        self.states = states
        self.destination = destination
        self.session = session
        self.camera = camera
    }
}
