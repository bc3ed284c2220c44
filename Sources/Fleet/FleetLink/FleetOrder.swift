public import FoundationEssentials
public import FrameFastAPI
import FrameFastModel

/// What one computer of a fleet may have another do, where that accepts it. Never settings, destinations, deletions or paths.
public enum FleetVerb: String, CaseIterable, Hashable, Sendable, Codable {
    /// Release the shutters of a group, now or at a moment.
    case shoot
    /// Start a session, or stop the one that runs.
    case session
    /// Upload in another mode.
    case mode
    /// Try uploads again that were given up.
    case retry
}

/// An order, as it is sent to `…/cmd/VERB`.
public struct FleetOrder: Codable, Hashable, Sendable {
    /// Its name: an order is carried out once, however often it comes. At most ``idMax`` characters.
    public var id: String
    /// When it was given.
    public var issuedAt: Date
    /// After this nobody carries it out; at most ``ahead`` from now.
    public var expiresAt: Date
    /// Who gave it, for the log.
    public var by: String?
    /// The computer that waits for an answer, in `…/reply/CONSOLE`.
    public var console: String?
    /// `shoot`: when; `nil` for at once.
    public var at: Date?
    /// `shoot` to a computer, and not to a group: which one.
    public var group: GroupName?
    /// `shoot`: the fewest cameras of a computer that must be ready.
    public var require: Int?
    /// `session`: the name of the one to start; `nil` to stop.
    public var sessionName: String?
    /// `mode`: the word.
    public var mode: String?

    /// Longest id, in characters.
    public static let idMax = 64
    /// Longest order, in bytes.
    public static let bytesMax = 16 << 10
    /// How far ahead an order may expire, in seconds.
    public static let ahead: TimeInterval = 60
    /// Fewest milliseconds from an order to its moment: it has to arrive, and cameras have to be told.
    public static let leadMs = 500

    /// Gives an order.
    public init(
        id: String, issuedAt: Date, expiresAt: Date, by: String? = nil, console: String? = nil,
        at: Date? = nil, group: GroupName? = nil, require: Int? = nil, sessionName: String? = nil,
        mode: String? = nil
    ) {
        self.id = id
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.by = by
        self.console = console
        self.at = at
        self.group = group
        self.require = require
        self.sessionName = sessionName
        self.mode = mode
    }
}

/// What became of an order.
public struct FleetAnswer: Codable, Hashable, Sendable {
    /// The order.
    public var id: String
    /// Who answers.
    public var host: FleetHostName
    /// What became of it.
    public var state: State
    /// Why, when it was not carried out.
    public var reason: String?
    /// `shoot`: what each camera says.
    public var shot: GroupShotReply?

    /// What became of an order.
    public enum State: String, Codable, Hashable, Sendable {
        /// It was carried out.
        case done
        /// It was not.
        case refused
        /// It was begun before this computer's service ended: perhaps it was carried out. It is not done again.
        case unknown
    }

    /// Answers.
    public init(
        id: String, host: FleetHostName, state: State, reason: String? = nil, shot: GroupShotReply? = nil
    ) {
        self.id = id
        self.host = host
        self.state = state
        self.reason = reason
        self.shot = shot
    }
}
