/// How the photos of a session are uploaded. What each mode does with a photo: ``UploadModePolicy``.
public enum UploadMode: String, Codable, Hashable, Sendable, CaseIterable {
    /// Each photo as soon as it is saved.
    case realtime
    /// Kept until they are released, or until another mode is chosen.
    case offline
    /// Pictures at once; RAW files when the pictures are through.
    case jpegFirst = "jpeg-first"
    /// Only photos that were rated or protected in the camera.
    case rated
    /// Only photos that a person adds.
    case manual
    /// At certain times of the day, or when enough photos have come together.
    case scheduled
}
