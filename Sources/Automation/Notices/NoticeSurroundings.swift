public import FrameFastModel

/// What notices need of others, so that they know neither the ledger nor how HTTP is spoken.
public struct NoticeSurroundings: Sendable {
    /// What this computer is called.
    public var host: FleetHostName
    /// What people call a condition's subject.
    public var name: @Sendable (Condition) -> String?
    /// What the ledger has of a notice.
    public var load: @Sendable (NoticeName) async throws -> [NoticeEntry]
    /// Keeps entries, and removes others.
    public var keep: @Sendable (_ entries: [NoticeEntry], _ over: [NoticeEntry]) async throws -> Void
    /// Reads a secret from its place.
    public var secret: @Sendable (String) throws -> String
    /// Makes a POST.
    public var post: @Sendable (NoticePost) async -> NoticePostOutcome
    /// The address of the session bus; `nil` when there is none.
    public var sessionBus: @Sendable () -> String?
    /// Longest try, in seconds.
    var timeoutSeconds = NoticeSender.timeoutSeconds

    /// Creates surroundings.
    ///
    /// - Parameter environment: Of this process: where the session bus is.
    public init(
        host: FleetHostName, environment: [String: String],
        name: @escaping @Sendable (Condition) -> String?,
        load: @escaping @Sendable (NoticeName) async throws -> [NoticeEntry],
        keep: @escaping @Sendable ([NoticeEntry], [NoticeEntry]) async throws -> Void,
        secret: @escaping @Sendable (String) throws -> String,
        post: @escaping @Sendable (NoticePost) async -> NoticePostOutcome
    ) {
        self.host = host
        self.name = name
        self.load = load
        self.keep = keep
        self.secret = secret
        self.post = post
        sessionBus = { SessionBus.address(environment) }
    }
}
