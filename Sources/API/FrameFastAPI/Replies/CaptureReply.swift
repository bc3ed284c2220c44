public import FoundationEssentials

/// One photo (or movie, or sidecar) and how far it is.
public struct CaptureReply: WireValue {
    /// Number in the ledger; grows with detection.
    public var id: CaptureID
    /// Number of the shot: that of its first file. A RAW and its JPEG have the same.
    public var shotID: ShotID
    /// How far the shot is: as far as the first of its files in the order of ``State/all``.
    public var shotState: State
    /// Absolute path of the file; `nil` before it is saved.
    @OrNull public var path: String?
    /// The camera's own name for it: data, to be escaped before it reaches a terminal.
    public var originalName: String
    /// Size in bytes: as announced before it is saved, as counted after.
    public var size: Int64
    /// SHA-256 in lower-case hex; `nil` before it is saved.
    @OrNull public var sha256: String?
    /// Id of the camera, as in ``CameraReply/id``.
    public var cameraID: CameraID
    /// What people call the camera.
    public var cameraName: String
    /// Id of the session; `nil` when there was none.
    @OrNull public var session: SessionID?
    /// Number of the group's shot, the same for the photos of all its cameras; `nil` for any other photo.
    @OrNull public var groupShot: GroupShotID?
    /// When the camera took it, by the camera's clock read in the camera's zone; when the host heard of it, where the
    /// camera does not tell.
    @OrNull public var capturedAt: Date?
    /// When it was first seen here.
    public var detectedAt: Date
    /// When it was durable under its final name; `nil` before.
    @OrNull public var savedAt: Date?
    /// How far it is.
    public var state: State
    /// Time on the camera's link, in milliseconds.
    @OrNull public var transferMs: Int?
    /// From detection to durable, in milliseconds.
    @OrNull public var savedMs: Int?
    /// Why it is damaged, as a sentence; `nil` otherwise.
    @OrNull public var problem: String?
    /// When its file was cleared here, because it is delivered everywhere; `nil` while it is here.
    @OrNull public var clearedAt: Date?
    /// How sure it is that the file has the bytes of the photo on the card; `nil` before it is saved.
    @OrNull public var verified: Verified?
    /// What was set for it when it was first seen, by the names of fields.
    public var fields: [String: String]

    private enum CodingKeys: String, CodingKey {
        case id
        case shotID = "shotId"
        case shotState, path, originalName, size, sha256
        case cameraID = "cameraId"
        case cameraName, session, groupShot, capturedAt, detectedAt, savedAt, state, transferMs, savedMs,
            problem,
            clearedAt, verified, fields
    }

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.originalName, "From the camera: escape it before it reaches a terminal"),
            .init(CodingKeys.sha256, "In lower-case hex"),
            .init(CodingKeys.shotID, "Shared by the files of one shot"),
            .init(
                CodingKeys.shotState,
                "How far the shot is: as far as the first of its files in the order of the words"),
            .init(CodingKeys.cameraID, "As in the camera's `id`"),
            .init(CodingKeys.problem, "Why it is damaged"),
            .init(CodingKeys.fields, "What was set for it when it was first seen, by the names of fields"),
            .init(
                CodingKeys.groupShot, "Shared by the photos that the cameras of a group take at one moment"),
        ]
    }

    /// Creates a reply; everything that is not known yet is left out.
    public init(
        id: CaptureID, shotID: ShotID? = nil, shotState: State? = nil, path: String? = nil,
        originalName: String,
        size: Int64, sha256: String? = nil, cameraID: CameraID, cameraName: String,
        session: SessionID? = nil, groupShot: GroupShotID? = nil,
        capturedAt: Date? = nil, detectedAt: Date, savedAt: Date? = nil, state: State, transferMs: Int? = nil,
        savedMs: Int? = nil,
        problem: String? = nil, clearedAt: Date? = nil, verified: Verified? = nil,
        fields: [String: String] = [:]
    ) {
        self.id = id
        self.shotID = shotID ?? ShotID(first: id)
        self.shotState = shotState ?? state
        self._path = OrNull(wrappedValue: path)
        self.originalName = originalName
        self.size = size
        self._sha256 = OrNull(wrappedValue: sha256)
        self.cameraID = cameraID
        self.cameraName = cameraName
        self._session = OrNull(wrappedValue: session)
        self._groupShot = OrNull(wrappedValue: groupShot)
        self._capturedAt = OrNull(wrappedValue: capturedAt)
        self.detectedAt = detectedAt
        self._savedAt = OrNull(wrappedValue: savedAt)
        self.state = state
        self._transferMs = OrNull(wrappedValue: transferMs)
        self._savedMs = OrNull(wrappedValue: savedMs)
        self._problem = OrNull(wrappedValue: problem)
        self._clearedAt = OrNull(wrappedValue: clearedAt)
        self._verified = OrNull(wrappedValue: verified)
        self.fields = fields
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

        /// Every word of this build.
        public static let all = [structure, awaitingReread, reread]
    }

    /// How far a photo is on its whole way: one word.
    public struct State: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Cannot be read whole: a person has to decide.
        public static let damaged = Self(rawValue: "damaged")
        /// An upload was given up: a person has to decide.
        public static let uploadFailed = Self(rawValue: "upload_failed")
        /// An upload failed and will be tried again.
        public static let retrying = Self(rawValue: "retrying")
        /// Known, and not yet durable under its final name.
        public static let receiving = Self(rawValue: "receiving")
        /// On its way to a destination.
        public static let uploading = Self(rawValue: "uploading")
        /// Goes out as soon as it is its turn.
        public static let queued = Self(rawValue: "queued")
        /// Kept back by the mode, a rule or a person.
        public static let held = Self(rawValue: "held")
        /// Durable under its final name; goes nowhere, or nothing is decided yet.
        public static let saved = Self(rawValue: "saved")
        /// At every destination that it goes to.
        public static let delivered = Self(rawValue: "delivered")
        /// Delivered, and removed here to free some space.
        public static let cleared = Self(rawValue: "cleared")
        /// Every state of this build, in the order that a shot of several files takes its own from.
        public static let all = [
            damaged, uploadFailed, retrying, receiving, uploading, queued, held, saved, delivered, cleared,
        ]
    }
}

/// One page of `GET /v1/captures`, newest shot first; the files of a shot stand side by side.
public struct CapturesReply: WireValue {
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
public struct CapturesQuery: WireRequest {
    /// Most shots a page may hold: at about 700 bytes a file, some megabyte of JSON.
    public static let limitMax = 1000
    /// Shots in a page when nothing is said.
    public static let limitDefault = 100
    /// Longest name that is looked for: Linux has no longer path.
    public static let nameLengthMax = 4096

    /// Shots in a page, 1...``limitMax``: a RAW and its JPEG are one.
    public var limit: Int
    /// Where to go on: the last page's `next_cursor`; `nil` for the newest.
    public var cursor: String?
    /// Only photos of this session.
    public var session: SessionID?
    /// Only photos of this camera.
    public var camera: CameraReference?
    /// Only photos in this state.
    public var state: CaptureReply.State?
    /// Only photos whose file has this name, here or at the camera, or this path here.
    public var name: String?

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.limit, range: 1...Int64(limitMax), standard: limitDefault),
            .init(CodingKeys.cursor, "next_cursor of the page before"),
            .init(CodingKeys.session, range: 1...Int64.max),
            .init(CodingKeys.camera, "Id or name of the camera"),
            .init(
                CodingKeys.name, "Name of its file, here or at the camera, or its path here; taken by itself",
                length: 1...nameLengthMax),
        ]
    }

    /// Creates a query.
    public init(
        limit: Int = CapturesQuery.limitDefault, cursor: String? = nil, session: SessionID? = nil,
        camera: CameraReference? = nil, state: CaptureReply.State? = nil, name: String? = nil
    ) {
        self.limit = limit
        self.cursor = cursor
        self.session = session
        self.camera = camera
        self.state = state
        self.name = name
    }
}
