public import FoundationEssentials

/// A session: a name under which photos are filed, from start to stop.
public struct SessionReply: Codable, Hashable, Sendable {
    /// Its number.
    public var id: Int64
    /// Its name as given.
    public var name: String
    /// When it started.
    public var startedAt: Date
    /// When it was stopped; `nil` while it runs.
    @OrNull public var endedAt: Date?
    /// Photos saved in it.
    public var captures: Int
    /// Bytes saved in it.
    public var bytes: Int64

    /// Creates a reply.
    public init(
        id: Int64, name: String, startedAt: Date, endedAt: Date? = nil, captures: Int = 0, bytes: Int64 = 0
    ) {
        self.id = id
        self.name = name
        self.startedAt = startedAt
        self._endedAt = OrNull(wrappedValue: endedAt)
        self.captures = captures
        self.bytes = bytes
    }
}

/// `GET /v1/sessions`, newest first.
public struct SessionsReply: Codable, Hashable, Sendable {
    /// Most sessions that are listed.
    public static let limitMax = 1000

    /// The sessions.
    public var sessions: [SessionReply]

    /// Creates a reply.
    public init(sessions: [SessionReply]) {
        self.sessions = sessions
    }
}

/// `POST /v1/sessions`. A running session is stopped first.
public struct SessionStartRequest: Codable, Hashable, Sendable {
    /// Longest name, in characters: it becomes a folder name.
    public static let nameLengthMax = 120

    /// The session's name.
    public var name: String

    /// Creates a request.
    public init(name: String) {
        self.name = name
    }
}
