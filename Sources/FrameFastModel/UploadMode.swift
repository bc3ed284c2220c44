/// How the photos of a session are uploaded.
public enum UploadMode: String, Codable, Hashable, Sendable, CaseIterable {
    /// Each photo as soon as it is saved.
    case realtime
    /// Kept until they are released.
    case offline
}
