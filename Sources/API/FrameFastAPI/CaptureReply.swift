public import FoundationEssentials

/// One photo (or movie, or sidecar) and how far it is.
public struct CaptureReply: Codable, Hashable, Sendable {
    /// Number in the ledger; grows with detection.
    public var id: Int64
    /// Absolute path of the file; `nil` before it is saved.
    @OrNull public var path: String?
    /// The camera's own name for it: data, to be escaped before it reaches a terminal.
    public var originalName: String
    /// Size in bytes: as announced before it is saved, as counted after.
    public var size: Int64
    /// SHA-256 in lower-case hex; `nil` before it is saved.
    @OrNull public var sha256: String?
    /// Id of the camera.
    public var camera: String
    /// Id of the session; `nil` when there was none.
    @OrNull public var session: Int64?
    /// When the camera took it, by the camera's clock read in the camera's zone; `nil` when it does not tell.
    @OrNull public var capturedAt: Date?
    /// When it was first seen here.
    public var detectedAt: Date
    /// When it was durable under its final name; `nil` before.
    @OrNull public var savedAt: Date?
    /// Shared by the files of one shot (RAW and JPEG); `nil` for a single file.
    @OrNull public var pairID: Int64?
    /// How far it is.
    public var state: State
    /// Time on the camera's link, in milliseconds.
    @OrNull public var transferMs: Int?
    /// From detection to durable, in milliseconds.
    @OrNull public var savedMs: Int?
    /// Why it was set aside or failed, as a sentence; `nil` otherwise.
    @OrNull public var problem: String?
    /// When its file was cleared here, because it is delivered everywhere; `nil` while it is here.
    @OrNull public var clearedAt: Date?
    /// How sure it is that the file has the bytes of the photo on the card; `nil` before it is saved.
    @OrNull public var verified: Verified?

    private enum CodingKeys: String, CodingKey {
        case id, path, originalName, size, sha256, camera, session, capturedAt, detectedAt, savedAt
        case pairID = "pairId"
        case state, transferMs, savedMs, problem, clearedAt, verified
    }

    /// Creates a reply; everything that is not known yet is left out.
    public init(
        id: Int64, path: String? = nil, originalName: String, size: Int64, sha256: String? = nil,
        camera: String, session: Int64? = nil, capturedAt: Date? = nil, detectedAt: Date,
        savedAt: Date? = nil,
        pairID: Int64? = nil, state: State, transferMs: Int? = nil, savedMs: Int? = nil,
        problem: String? = nil, clearedAt: Date? = nil, verified: Verified? = nil
    ) {
        self.id = id
        self._path = OrNull(wrappedValue: path)
        self.originalName = originalName
        self.size = size
        self._sha256 = OrNull(wrappedValue: sha256)
        self.camera = camera
        self._session = OrNull(wrappedValue: session)
        self._capturedAt = OrNull(wrappedValue: capturedAt)
        self.detectedAt = detectedAt
        self._savedAt = OrNull(wrappedValue: savedAt)
        self._pairID = OrNull(wrappedValue: pairID)
        self.state = state
        self._transferMs = OrNull(wrappedValue: transferMs)
        self._savedMs = OrNull(wrappedValue: savedMs)
        self._problem = OrNull(wrappedValue: problem)
        self._clearedAt = OrNull(wrappedValue: clearedAt)
        self._verified = OrNull(wrappedValue: verified)
    }

    /// What is known of a saved photo's bytes.
    public struct Verified: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Read once; size and structure are right.
        public static let structure = Self(rawValue: "structure")
        /// Read once; a second reading is to come, and uploads wait for it.
        public static let awaitingReread = Self(rawValue: "awaiting_reread")
        /// Two readings gave these bytes.
        public static let reread = Self(rawValue: "reread")
    }

    /// How far a photo is: one word for the whole pipeline.
    public struct State: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Known, not being fetched yet.
        public static let seen = Self(rawValue: "seen")
        /// Coming in or being made durable.
        public static let saving = Self(rawValue: "saving")
        /// Durable under its final name.
        public static let saved = Self(rawValue: "saved")
        /// Waits for its upload.
        public static let queued = Self(rawValue: "queued")
        /// On its way to a destination.
        public static let uploading = Self(rawValue: "uploading")
        /// Sent, being checked on the other side.
        public static let checking = Self(rawValue: "checking")
        /// At every destination.
        public static let delivered = Self(rawValue: "delivered")
        /// An upload failed and will be tried again.
        public static let retrying = Self(rawValue: "retrying")
        /// Given up: a person has to decide.
        public static let failed = Self(rawValue: "failed")
        /// Kept away from the driver because it harmed it, or never came whole.
        public static let setAside = Self(rawValue: "set_aside")
        /// On the card before the camera was first met, and left there on request.
        public static let skipped = Self(rawValue: "skipped")
    }
}

/// One page of `GET /v1/captures`, newest first.
public struct CapturesReply: Codable, Hashable, Sendable {
    /// The photos of this page.
    public var captures: [CaptureReply]
    /// Ask for the next page with this; `nil` on the last page.
    @OrNull public var nextCursor: String?

    /// Creates a page.
    public init(captures: [CaptureReply], nextCursor: String? = nil) {
        self.captures = captures
        self._nextCursor = OrNull(wrappedValue: nextCursor)
    }
}

/// Which photos to list.
public struct CapturesQuery: Hashable, Sendable {
    /// Most photos a page may hold: at about 600 bytes each, well under a megabyte of JSON.
    public static let limitMax = 1000
    /// Photos in a page when nothing is said.
    public static let limitDefault = 100

    /// Photos in a page, 1...``limitMax``.
    public var limit: Int
    /// Where to go on: the last page's `next_cursor`; `nil` for the newest.
    public var cursor: String?
    /// Only photos of this session.
    public var session: Int64?
    /// Only photos of the camera with this id.
    public var camera: String?
    /// Only photos in this state.
    public var state: CaptureReply.State?

    /// Creates a query.
    public init(
        limit: Int = CapturesQuery.limitDefault, cursor: String? = nil, session: Int64? = nil,
        camera: String? = nil, state: CaptureReply.State? = nil
    ) {
        self.limit = limit
        self.cursor = cursor
        self.session = session
        self.camera = camera
        self.state = state
    }
}
