public import FoundationEssentials

/// A shoot with a name: photos taken while it runs belong to it.
public struct Session: Codable, Hashable, Sendable, Identifiable {
    /// Number in the store.
    public var id: SessionID
    /// The name that the photographer gave it.
    public var name: String
    /// When it was started.
    public var startedAt: Date
    /// When it was stopped; `nil` while it runs.
    public var stoppedAt: Date?
    /// How its photos are uploaded.
    public var uploadMode: UploadMode
    /// How long its photos stay here; `nil` for what the configuration says.
    public var keep: RetentionRule?

    /// Longest name in characters: it becomes a folder.
    public static let nameMaxLength = 120

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
