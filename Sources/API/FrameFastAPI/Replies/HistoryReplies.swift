public import FoundationEssentials

/// One thing that happened to a photo.
public struct HistoryStepReply: WireValue {
    /// ``outcome`` of an upload's try that the destination refused, as it refuses all at that time.
    public static let refused = "refused"

    /// Number in the history; grows in the order in which things happened.
    public var id: HistoryStepID
    /// The photo's number.
    public var capture: CaptureID
    /// The camera's own name for the photo: data, to be escaped before it reaches a terminal.
    public var originalName: String
    /// Absolute path of the file here; `nil` before it is saved.
    @OrNull public var path: String?
    /// What people call the camera.
    public var cameraName: String
    /// When.
    public var at: Date
    /// What happened.
    public var kind: Kind
    /// The upload's destination; `nil` where it is not about an upload.
    @OrNull public var destination: DestinationName?
    /// How long it took, in seconds: reading it from the camera, or the try to upload it.
    @OrNull public var seconds: Double?
    /// Bytes that were read or delivered.
    @OrNull public var bytes: Int64?
    /// Bytes a second; `nil` where it says nothing.
    @OrNull public var bytesPerSecond: Double?
    /// The word that followed: how the photo was checked, the upload's state, why it is held, or the rating.
    @OrNull public var outcome: String?
    /// How a delivery was verified, or why it did not work, as a sentence.
    @OrNull public var detail: String?
    /// Who asked for it: `uid 1000` for a user of this computer, or `device` and its name; `nil` for the service itself.
    @OrNull public var by: String?

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.originalName, "From the camera: escape it before it reaches a terminal"),
            .init(CodingKeys.seconds, "How long it took: reading it, or the try to upload it"),
            .init(
                CodingKeys.outcome,
                "The word that followed: how it was checked, the upload's state, why it is held, or the rating"
            ),
            .init(
                CodingKeys.by,
                "uid 1000 for a user of this computer, or 'device' and the name of one that the page let in"),
        ]
    }

    /// Creates a step; everything that it does not have is left out.
    public init(
        id: HistoryStepID, capture: CaptureID, originalName: String, path: String? = nil, cameraName: String,
        at: Date, kind: Kind, destination: DestinationName? = nil, seconds: Double? = nil,
        bytes: Int64? = nil, bytesPerSecond: Double? = nil, outcome: String? = nil, detail: String? = nil,
        by: String? = nil
    ) {
        self.id = id
        self.capture = capture
        self.originalName = originalName
        self._path = OrNull(wrappedValue: path)
        self.cameraName = cameraName
        self.at = at
        self.kind = kind
        self._destination = OrNull(wrappedValue: destination)
        self._seconds = OrNull(wrappedValue: seconds)
        self._bytes = OrNull(wrappedValue: bytes)
        self._bytesPerSecond = OrNull(wrappedValue: bytesPerSecond)
        self._outcome = OrNull(wrappedValue: outcome)
        self._detail = OrNull(wrappedValue: detail)
        self._by = OrNull(wrappedValue: by)
    }

    /// What happened.
    public struct Kind: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The camera told of it, or its card was read.
        public static let seen = Self(rawValue: "seen")
        /// It was given the session's fields; who had set them is who it is by.
        public static let fields = Self(rawValue: "fields")
        /// It could not be read; it is tried again.
        public static let readFailed = Self(rawValue: "read_failed")
        /// It was given up until a person decides.
        public static let setAside = Self(rawValue: "set_aside")
        /// It is to be read once more.
        public static let readAgain = Self(rawValue: "read_again")
        /// It is durable under its name.
        public static let saved = Self(rawValue: "saved")
        /// Its bytes are those of a photo that is there already.
        public static let duplicate = Self(rawValue: "duplicate")
        /// The second reading is over.
        public static let verified = Self(rawValue: "verified")
        /// A try to upload it ended.
        public static let upload = Self(rawValue: "upload")
        /// An upload is kept back.
        public static let held = Self(rawValue: "held")
        /// An upload that was kept back may go.
        public static let released = Self(rawValue: "released")
        /// An upload is tried again because a person said so.
        public static let retried = Self(rawValue: "retried")
        /// An upload goes before all others.
        public static let putFirst = Self(rawValue: "put_first")
        /// An upload is not wanted any more.
        public static let dropped = Self(rawValue: "dropped")
        /// Somebody rated it.
        public static let rated = Self(rawValue: "rated")
        /// The camera deleted it.
        public static let deletedOnCamera = Self(rawValue: "deleted_on_camera")
        /// Its file was removed here, because it is delivered everywhere.
        public static let cleared = Self(rawValue: "cleared")

        /// Every word of this build.
        public static let all = [
            seen, fields, readFailed, setAside, readAgain, saved, duplicate, verified, upload, held, released,
            retried,
            putFirst, dropped, rated, deletedOnCamera, cleared,
        ]
    }
}

/// One photo and what happened to it, oldest first.
public struct CaptureHistoryReply: WireValue {
    /// The photo.
    public var capture: CaptureReply
    /// The steps that are still kept.
    public var steps: [HistoryStepReply]

    /// Creates a reply.
    public init(capture: CaptureReply, steps: [HistoryStepReply]) {
        self.capture = capture
        self.steps = steps
    }
}

/// What happened, oldest first.
public struct HistoryReply: WireValue {
    /// The steps of this page.
    public var steps: [HistoryStepReply]
    /// Ask for the next page with this; `nil` on the last page.
    @OrNull public var nextCursor: String?

    /// Creates a page.
    public init(steps: [HistoryStepReply], nextCursor: String? = nil) {
        self.steps = steps
        self._nextCursor = OrNull(wrappedValue: nextCursor)
    }
}

/// Which part of the history to list.
public struct HistoryQuery: WireRequest {
    /// Most steps a page may hold: at about 400 bytes each, under half a megabyte of JSON.
    public static let limitMax = 1000
    /// Steps in a page when nothing is said.
    public static let limitDefault = 100

    /// Steps in a page, 1...``limitMax``.
    public var limit: Int
    /// Where to go on: the last page's `next_cursor`; `nil` for the oldest.
    public var cursor: String?
    /// Only from then on.
    public var since: Date?

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.limit, range: 1...Int64(limitMax), standard: limitDefault),
            .init(CodingKeys.cursor, "next_cursor of the page before"),
        ]
    }

    /// Creates a query.
    public init(limit: Int = HistoryQuery.limitDefault, cursor: String? = nil, since: Date? = nil) {
        self.limit = limit
        self.cursor = cursor
        self.since = since
    }
}
