/// The state of a capture on its way from the card to every destination.
///
/// The cases are in order of precedence. If the files of a shot have different states, the state that comes
/// first in this list is the state of the shot.
public enum CaptureState: String, Codable, CaseIterable, Sendable {
    /// Unreadable or damaged. A person must act.
    case damaged
    /// An upload failed permanently.
    case uploadFailed = "upload_failed"
    /// An upload failed and will be retried.
    case retrying
    /// Known, but not yet complete and durable under its final name.
    case receiving
    /// An upload to a destination is running.
    case uploading
    /// Waiting in the upload queue.
    case queued
    /// An upload is held by a mode, a rule or a person.
    case held
    /// Durable on disk. No upload is planned.
    case saved
    /// Delivered to all its destinations.
    case delivered
    /// Delivered, and the local file was removed to free disk space.
    case cleared
}

/// The level at which a saved photo was verified against the original on the card.
public enum CaptureVerification: String, Codable, CaseIterable, Sendable {
    /// Read once, with the right size and structure.
    case structure
    /// Read once. The second read is pending.
    case awaitingReread = "awaiting_reread"
    /// Two reads returned the same bytes as the file on disk.
    case reread
}

/// The verification that a photo must pass before it is uploaded or deleted from the camera.
public enum RequiredVerification: String, Codable, CaseIterable, Sendable {
    /// The photo's size and structure are valid.
    case structure
    /// A second read returned the same bytes.
    case reread
}

/// The handling of photos that are on the card when a camera connects for the first time.
public enum ExistingPhotos: String, Codable, CaseIterable, Sendable {
    /// The photos are fetched like any other.
    case fetch
    /// The photos are recorded as skipped and not fetched.
    case skip
}

/// The level of free space on the disk of the capture directory. The reserve is the space that must stay
/// free.
public enum DiskLevel: String, Codable, CaseIterable, Sendable {
    /// After the next photo, at least twice the reserve stays free.
    case ok
    /// After the next photo, less than twice the reserve stays free. The service raises a condition.
    case low
    /// The next photo would use part of the reserve. Photos wait on the card.
    case full
    /// The capture directory is missing or unusable, so the free space is unknown.
    case away
}
