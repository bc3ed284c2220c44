public import FoundationEssentials

/// A session: a name under which photos are filed, from start to stop.
public struct SessionReply: WireValue {
    /// Its number.
    public var id: SessionID
    /// Its name as given.
    public var name: String
    /// When it started.
    public var startedAt: Date
    /// When it was stopped; `nil` while it runs.
    @OrNull public var endedAt: Date?
    /// Shots saved in it: a RAW and its JPEG are one.
    public var shots: Int
    /// Files saved in it.
    public var captures: Int
    /// Bytes saved in it.
    public var bytes: Int64
    /// When its photos are uploaded.
    public var uploadMode: UploadMode
    /// How long its photos are kept here: `7 d`, `forever`, `until-delivered`; `nil` for what the configuration says.
    @OrNull public var keep: String?
    /// What became of a preset on each camera: of the one that the session was started with, or of what cameras got back at
    /// its end. `nil` but in the answer to that.
    @OrNull public var applied: [SettingsChangeReply]?

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(
                CodingKeys.keep, "How long its photos are kept here; null for what the configuration says",
                examples: ["7 d", "30 d", "forever", "until-delivered"])
        ]
    }

    /// Creates a reply.
    public init(
        id: SessionID, name: String, startedAt: Date, endedAt: Date? = nil, shots: Int = 0,
        captures: Int = 0, bytes: Int64 = 0,
        uploadMode: UploadMode = .realtime, keep: String? = nil, applied: [SettingsChangeReply]? = nil
    ) {
        self.id = id
        self.name = name
        self.startedAt = startedAt
        self._endedAt = OrNull(wrappedValue: endedAt)
        self.shots = shots
        self.captures = captures
        self.bytes = bytes
        self.uploadMode = uploadMode
        self._keep = OrNull(wrappedValue: keep)
        self._applied = OrNull(wrappedValue: applied)
    }

    /// How a session's photos are uploaded.
    public struct UploadMode: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Each photo as soon as it is saved.
        public static let realtime = Self(rawValue: "realtime")
        /// Kept until they are released.
        public static let offline = Self(rawValue: "offline")
        /// JPEGs at once; RAWs when the JPEGs are through, or when they are released.
        public static let jpegFirst = Self(rawValue: "jpeg-first")
        /// What has enough stars, or is protected in the camera.
        public static let rated = Self(rawValue: "rated")
        /// What a person adds to the queue.
        public static let manual = Self(rawValue: "manual")
        /// In a window of time, or when enough photos are there.
        public static let scheduled = Self(rawValue: "scheduled")

        /// Every word of this build.
        public static let all = [realtime, offline, jpegFirst, rated, manual, scheduled]
    }
}

/// Which sessions to list.
public struct SessionsQuery: WireRequest {
    /// Most sessions that are listed.
    public static let limitMax = 1000

    /// Sessions that are listed, 1...``limitMax``.
    public var limit: Int

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [.init(CodingKeys.limit, range: 1...Int64(limitMax), standard: limitMax)]
    }

    /// Creates a query.
    public init(limit: Int = SessionsQuery.limitMax) {
        self.limit = limit
    }
}

/// `GET /v1/sessions`, newest first.
public struct SessionsReply: WireValue {
    /// The sessions.
    public var sessions: [SessionReply]

    /// Creates a reply.
    public init(sessions: [SessionReply]) {
        self.sessions = sessions
    }
}

/// `POST /v1/sessions`. A running session is stopped first.
public struct SessionStartRequest: WireRequest {
    /// Longest name, in characters: it becomes a folder name.
    public static let nameLengthMax = 120

    /// The session's name.
    public var name: String
    /// How its photos are uploaded; `realtime` when left out.
    public var uploadMode: SessionReply.UploadMode?
    /// How long its photos are kept here; as configured when left out.
    public var keep: String?
    /// The preset that every connected camera is set to.
    public var preset: PresetName?
    /// `true` to give cameras back at the session's end what they were set to.
    public var giveBack: Bool?
    /// What its photos are given from the first one on, by the names of fields.
    public var fields: [String: String]?

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.name, length: 1...nameLengthMax),
            .init(
                CodingKeys.keep, "As configured when left out",
                examples: ["7 d", "30 d", "forever", "until-delivered"]),
            .init(CodingKeys.preset, "The preset that every connected camera is set to"),
            .init(
                CodingKeys.giveBack,
                "True to give cameras back at the session's end what they were set to; with a preset"),
            .init(
                CodingKeys.fields, "What its photos are given, by the names of fields: {\"job\": \"4711\"}"),
        ]
    }

    /// Creates a request.
    public init(
        name: String, uploadMode: SessionReply.UploadMode? = nil, keep: String? = nil,
        preset: PresetName? = nil, giveBack: Bool? = nil, fields: [String: String]? = nil
    ) {
        self.name = name
        self.uploadMode = uploadMode
        self.keep = keep
        self.preset = preset
        self.giveBack = giveBack
        self.fields = fields
    }
}

/// `POST /v1/sessions/{id}/keep`: changes how long a session's photos are kept here.
public struct SessionKeepRequest: WireRequest {
    /// `7 d`, `30 d`, `forever`, `until-delivered`; as configured when left out.
    public var keep: String?

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(
                CodingKeys.keep, "As configured when left out",
                examples: ["7 d", "30 d", "forever", "until-delivered"])
        ]
    }

    /// Creates a request.
    public init(keep: String? = nil) {
        self.keep = keep
    }
}
