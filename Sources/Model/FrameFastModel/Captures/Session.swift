public import FoundationEssentials

/// A named group of photos. Photos that are taken while the session is running belong to it.
public struct Session: Codable, Hashable, Sendable, Identifiable {
    /// The number in the ledger.
    public var id: SessionID
    /// The name that the photographer chose.
    public var name: String
    /// The start time.
    public var startedAt: Date
    /// The stop time, or `nil` while the session is running.
    public var stoppedAt: Date?
    /// The mode in which its photos are uploaded.
    public var uploadMode: UploadMode
    /// The retention rule for its photos, or `nil` for the configured rule.
    public var keep: RetentionRule?

    /// Creates a session.
    public init(
        id: SessionID, name: String, startedAt: Date, stoppedAt: Date? = nil,
        uploadMode: UploadMode = .realtime, keep: RetentionRule? = nil
    ) {
        self.id = id
        self.name = name
        self.startedAt = startedAt
        self.stoppedAt = stoppedAt
        self.uploadMode = uploadMode
        self.keep = keep
    }
}
