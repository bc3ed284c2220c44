/// The mode in which a session's photos are uploaded. ``UploadModePolicy`` implements the modes.
public enum UploadMode: String, Codable, Hashable, Sendable, CaseIterable {
    /// Uploads each photo as soon as it is saved.
    case realtime
    /// Holds photos until a person releases them or chooses another mode.
    case offline
    /// Uploads pictures immediately, and RAW files after all pictures.
    case jpegFirst = "jpeg-first"
    /// Uploads only photos with a minimum rating, and photos that are protected in the camera.
    case rated
    /// Uploads only photos that a person adds to the queue.
    case manual
    /// Uploads at certain times of the day, or when enough photos are waiting.
    case scheduled
}
