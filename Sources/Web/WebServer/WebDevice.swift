public import FoundationEssentials
public import FrameFastAPI

/// A device that was let in, and what it may.
public struct WebDevice: Hashable, Sendable {
    /// What a device may do.
    public enum Role: String, Hashable, Sendable, CaseIterable {
        /// Everything that is looked at; with `[web] control` also cameras, mode and session.
        case owner
        /// One session: look, rate, pick, comment.
        case client
        /// One session: look.
        case screen
    }

    /// Number of the device, as people name it: `d7`.
    public var id: String
    /// What whoever uses it called it.
    public var name: String
    /// What it may do.
    public var role: Role
    /// The session that it sees; `nil` for all, and for photos without one.
    public var session: SessionID?
    /// Whether its person said that they are done.
    public var isDone: Bool
    /// When it was let in.
    public var pairedAt: Date
    /// When it was heard of last.
    public var lastUsedAt: Date

    /// Creates a device.
    public init(
        id: String, name: String, role: Role, session: SessionID?, isDone: Bool = false, pairedAt: Date,
        lastUsedAt: Date
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.session = session
        self.isDone = isDone
        self.pairedAt = pairedAt
        self.lastUsedAt = lastUsedAt
    }

    /// Whether it may give stars.
    public var mayRate: Bool { role != .screen && !isDone }
    /// Whether it may see a shot of a session.
    public func sees(session: SessionID?) -> Bool { role == .owner || session == self.session }
}
