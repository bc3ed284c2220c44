public import FoundationEssentials

/// A session: the photos that are taken between its start and its stop, under one name.
public struct SessionReply: WireValue {
    /// The number of the session.
    public var id: SessionID
    /// The name that the user gave.
    public var name: String
    /// The start time.
    public var startedAt: Date
    /// The time when the session stopped, or `nil` while it runs.
    @OrNull public var endedAt: Date?
    /// The number of shots saved in the session. A RAW and its JPEG are one shot.
    public var shots: Int
    /// The number of files saved in the session.
    public var captures: Int
    /// The size of the files saved in the session, in bytes.
    public var bytes: Int64
    /// The mode in which the session's photos are uploaded.
    @Word public var uploadMode: UploadMode?
    /// The time for which the photos are kept on this computer: `7 d`, `forever`, `until-delivered`, or `nil`
    /// for the configured time.
    @OrNull public var keep: String?
    /// The results of applying the session's preset to each camera at the start, or of restoring each
    /// camera's settings at the end. `nil` in all other replies.
    @OrNull public var applied: [SettingsChangeReply]?

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(
                CodingKeys.keep, "How long the session's photos are kept here; null for the configured time",
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
        self._uploadMode = Word(uploadMode)
        self._keep = OrNull(wrappedValue: keep)
        self._applied = OrNull(wrappedValue: applied)
    }

    /// Whether every camera has every value that the start or the end of the session sets.
    public var hasAppliedAll: Bool { (applied ?? []).allSatisfy { $0.results.allSatisfy(\.isDone) } }
}

/// A query for sessions.
public struct SessionsQuery: WireRequest {
    /// The largest number of sessions in a reply.
    public static let limitMax = 1000

    /// The number of sessions to list, 1...``limitMax``.
    public var limit: Int

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [.init(CodingKeys.limit, range: 1...Int64(limitMax), defaultValue: limitMax)]
    }

    /// Creates a query.
    public init(limit: Int = SessionsQuery.limitMax) {
        self.limit = limit
    }
}

/// `GET /v1/sessions`: the sessions, newest first.
public struct SessionsReply: WireValue {
    /// The sessions.
    public var sessions: [SessionReply]

    /// Creates a reply.
    public init(sessions: [SessionReply]) {
        self.sessions = sessions
    }
}

/// `POST /v1/sessions`: starts a session. A running session stops first.
public struct SessionStartRequest: WireRequest {
    /// The longest name, in characters. The name becomes a folder name.
    public static let nameLengthMax = 120

    /// The session's name.
    public var name: String
    /// The mode in which the photos are uploaded, or `nil` for `realtime`.
    public var uploadMode: Word<UploadMode>?
    /// The time for which the photos are kept on this computer, or `nil` for the configured time.
    public var keep: String?
    /// The preset to apply to every connected camera, or `nil` to apply no preset.
    public var preset: PresetName?
    /// Whether the daemon restores the cameras' previous settings when the session stops.
    public var giveBack: Bool?

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.name, length: 1...nameLengthMax),
            .init(
                CodingKeys.keep, "Default: the configured time",
                examples: ["7 d", "30 d", "forever", "until-delivered"]),
            .init(CodingKeys.preset, "The preset to apply to every connected camera"),
            .init(
                CodingKeys.giveBack,
                "True to restore the cameras' previous settings at the session's end; needs a preset"),
        ]
    }

    /// Creates a request.
    public init(
        name: String, uploadMode: UploadMode? = nil, keep: String? = nil,
        preset: PresetName? = nil, giveBack: Bool? = nil
    ) {
        self.name = name
        self.uploadMode = uploadMode.map { Word($0) }
        self.keep = keep
        self.preset = preset
        self.giveBack = giveBack
    }
}

/// `POST /v1/sessions/{id}/keep`: changes how long a session's photos are kept on this computer.
public struct SessionKeepRequest: WireRequest {
    /// `7 d`, `30 d`, `forever` or `until-delivered`, or `nil` for the configured time.
    public var keep: String?

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(
                CodingKeys.keep, "Default: the configured time",
                examples: ["7 d", "30 d", "forever", "until-delivered"])
        ]
    }

    /// Creates a request.
    public init(keep: String? = nil) {
        self.keep = keep
    }
}
