public import FoundationEssentials

/// `GET /v1/web/me`: the rights of the device. Only the server of the web page has this path.
public struct WebMeReply: WireValue {
    /// The name that the person entered on the device.
    public var name: String
    /// The role of the device.
    @Word public var role: WebRole?
    /// The name of the session that the device may see, or `nil` for an owner.
    @OrNull public var session: String?
    /// Whether the device may control cameras, sessions and uploads.
    public var control: Bool
    /// Whether the device may fetch original files.
    public var originals: Bool
    /// Whether the person has sent the final ratings.
    public var done: Bool

    /// Creates a reply.
    public init(
        name: String, role: WebRole, session: String? = nil, control: Bool = false, originals: Bool = false,
        done: Bool = false
    ) {
        self.name = name
        self._role = Word(role)
        self._session = OrNull(wrappedValue: session)
        self.control = control
        self.originals = originals
        self.done = done
    }
}

/// The state of a session for clients and screens: the first event of their streams.
///
/// The reply contains no paths, destinations, conditions or other sessions.
public struct ClientSnapshotReply: WireValue {
    /// The name of the session.
    public var name: String
    /// The number of shots in the session.
    public var shots: Int
    /// The number of the newest shot, or `nil` if the session has no shot.
    @OrNull public var newestID: ShotID?
    /// Whether the session runs, and new photos can arrive.
    public var isLive: Bool
    /// The time since the newest photo was saved, in seconds, or `nil` if the session has no photo.
    @OrNull public var photoAge: Int?

    private enum CodingKeys: String, CodingKey {
        case name, shots
        case newestID = "newestId"
        case isLive, photoAge
    }

    /// Creates a reply.
    public init(name: String, shots: Int, newestID: ShotID? = nil, isLive: Bool, photoAge: Int? = nil) {
        self.name = name
        self.shots = shots
        self._newestID = OrNull(wrappedValue: newestID)
        self.isLive = isLive
        self._photoAge = OrNull(wrappedValue: photoAge)
    }
}

/// A change of a session, for clients and screens: for example, the session has new shots or has stopped.
public struct ClientSessionReply: WireValue {
    /// The name of the session.
    public var name: String
    /// The number of shots in the session.
    public var shots: Int
    /// The end of the session, or `nil` while it runs.
    @OrNull public var endedAt: Date?

    /// Creates the reply from the owner's reply.
    public init(_ session: SessionReply) {
        name = session.name
        shots = session.shots
        _endedAt = OrNull(wrappedValue: session.endedAt)
    }
}

/// One event of `GET /v1/events` for clients and screens.
public struct ClientEventReply: Encodable, Hashable, Sendable {
    /// The content of an event.
    public enum Body: Hashable, Sendable {
        /// The current state of the device's session.
        case snapshot(ClientSnapshotReply)
        /// A new or changed shot of the session.
        case shot(ShotChangeReply)
        /// The session changed.
        case session(ClientSessionReply)
        /// The reader was too slow and lost events. A snapshot follows.
        case resync
    }

    /// The number of the event, as in ``EventReply``.
    public var seq: UInt64
    /// The time of the event.
    public var at: Date
    /// The content of the event.
    public var body: Body

    /// Creates an event.
    public init(seq: UInt64, at: Date, body: Body) {
        self.seq = seq
        self.at = at
        self.body = body
    }

    private enum CodingKeys: String, CodingKey { case seq, at, kind, snapshot, shot, session }

    /// Encodes the event.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(seq, forKey: .seq)
        try container.encode(at, forKey: .at)
        switch body {
        case .snapshot(let value):
            try container.encode("snapshot", forKey: .kind)
            try container.encode(value, forKey: .snapshot)
        case .shot(let value):
            try container.encode("shot", forKey: .kind)
            try container.encode(value, forKey: .shot)
        case .session(let value):
            try container.encode("session", forKey: .kind)
            try container.encode(value, forKey: .session)
        case .resync: try container.encode("resync", forKey: .kind)
        }
    }
}

extension ClientEventReply.Body {
    /// Returns the content that a client or screen receives, or `nil` if the event is not for this device.
    ///
    /// - Parameter session: The session that the device may see.
    public init?(_ body: EventReply.Body, session: SessionID) {
        switch body {
        case .shot(let shot) where shot.session == session: self = .shot(shot)
        case .session(let reply) where reply.id == session: self = .session(ClientSessionReply(reply))
        case .resync: self = .resync
        default: return nil
        }
    }
}
