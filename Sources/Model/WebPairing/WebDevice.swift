public import FoundationEssentials
public import Identities
public import Vocabulary

/// A device that was paired with the web page.
public struct WebDevice: Hashable, Sendable, Identifiable {
    /// The time for which a session's clients and screens may use the page after the session's end, in
    /// seconds.
    public static let secondsAfterSession: TimeInterval = 12 * 3600
    /// The time without use after which an owner's device loses access, in seconds.
    public static let unusedSecondsMax: TimeInterval = 30 * 86_400
    /// The longest name, in characters.
    public static let nameLengthMax = 60

    /// The id in the ledger.
    public var id: WebDeviceID
    /// The name that the person entered when the device was paired.
    public var name: String
    /// The role. A device keeps its role until the device is revoked.
    public var role: WebRole
    /// The only session that the device may see, or `nil` for an owner.
    public var session: SessionID?
    /// The name of that session, or `nil` for an owner.
    public var sessionName: String?
    /// The time at which the session stopped, or `nil` if the session runs.
    public var sessionStoppedAt: Date?
    /// The time at which the device was paired.
    public var createdAt: Date
    /// The time of the last request. The service stores it at most once an hour.
    public var lastUsedAt: Date
    /// The time at which the person sent the final ratings, or `nil` if ratings can still change.
    public var doneAt: Date?
    /// The hash of the device's token.
    public var digest: SecretDigest

    /// Creates a device.
    public init(
        id: WebDeviceID, name: String, role: WebRole, session: SessionID? = nil, sessionName: String? = nil,
        sessionStoppedAt: Date? = nil, createdAt: Date, lastUsedAt: Date? = nil, doneAt: Date? = nil,
        digest: SecretDigest
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.session = session
        self.sessionName = sessionName
        self.sessionStoppedAt = sessionStoppedAt
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt ?? createdAt
        self.doneAt = doneAt
        self.digest = digest
    }

    /// Whether the person sent the final ratings.
    public var isDone: Bool { doneAt != nil }

    /// The time at which the device loses access, or `nil` for a client or screen whose session has not
    /// stopped.
    public var expiresAt: Date? {
        switch role {
        case .owner: lastUsedAt + Self.unusedSecondsMax
        case .client, .screen: sessionStoppedAt.map { $0 + Self.secondsAfterSession }
        }
    }

    /// Returns whether ``expiresAt`` has passed.
    public func isExpired(at now: Date) -> Bool { expiresAt.map { $0 <= now } ?? false }
}
