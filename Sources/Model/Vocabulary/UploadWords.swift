/// The mode in which a session's photos are uploaded.
public enum UploadMode: String, Codable, CaseIterable, Sendable {
    /// Uploads each photo as soon as it is saved.
    case realtime
    /// Holds photos until a person releases them or chooses another mode.
    case offline
    /// Uploads pictures immediately, and RAW files after all pictures.
    case jpegFirst = "jpeg-first"
    /// Uploads only photos that have at least the configured rating or are protected in the camera.
    case rated
    /// Uploads only photos that a person adds.
    case manual
    /// Uploads at certain times of the day, or when enough photos are waiting.
    case scheduled
}

/// The state of an upload.
public enum UploadState: String, Codable, CaseIterable, Sendable {
    /// Held by the mode, a rule or a person.
    case held
    /// Waiting in the queue.
    case queued
    /// A worker is sending the file.
    case uploading
    /// All bytes are sent, and the worker is verifying the copy. Never stored: after a restart the upload
    /// starts again.
    case verifying
    /// Delivered and verified.
    case delivered
    /// An attempt failed, and the next attempt is planned.
    case retrying
    /// Failed permanently. A person can retry the upload. If the file was missing, the service retries the
    /// upload when the file exists again.
    case failed

    /// All states except `delivered`.
    public static let undelivered = allCases.filter { $0 != .delivered }
}

/// The reason why an upload is held.
public enum UploadHold: String, Codable, CaseIterable, Sendable {
    /// The session's mode is `offline`. A person must release the photos.
    case offline
    /// A RAW file waits until the session's pictures are uploaded.
    case jpegFirst = "jpeg-first"
    /// The photo is neither rated high enough nor protected in the camera.
    case unrated
    /// An owner rejected the photo. Used only in mode `rated`, and for destinations with a minimum rating.
    case rejected
    /// The session uploads only photos that a person adds.
    case manual
    /// The next scheduled upload time is in the future.
    case scheduled
    /// A person held the upload.
    case person
    /// The photo belongs to no session, although a session was running when the photo was found. A person
    /// must release each of these uploads by its number.
    case unsorted
}

/// The method by which a remote copy was verified.
public enum UploadProof: String, Codable, CaseIterable, Sendable {
    /// The checksum of the remote file equals the checksum of the local file.
    case checksum
    /// The size of the remote file equals the size of the local file.
    case size
    /// The destination reported success. Its protocol (for example `command`) offers no checksum and no size.
    case word
}

/// The protocol of a destination.
public enum DestinationProtocol: String, Codable, CaseIterable, Sendable {
    /// A folder on a local disk or a mounted file system.
    case directory
    /// An S3 endpoint.
    case s3
    /// SFTP, the file transfer of OpenSSH.
    case sftp
    /// FTP without encryption.
    case ftp
    /// FTP over TLS.
    case ftps
    /// WebDAV.
    case webdav
    /// HTTP PUT or POST to a URL.
    case http
    /// A remote in the user's rclone configuration.
    case rclone
    /// A program of the user.
    case command
}

/// Whether a destination accepts photos.
public enum DestinationAvailability: String, Codable, CaseIterable, Sendable {
    /// Accepts photos.
    case ready
    /// Paused until a person resumes it.
    case paused
    /// Unreachable. The daemon probes it repeatedly.
    case away
    /// Waiting, because the network is metered.
    case metered
    /// Refuses photos until a person changes something.
    case refusing
    /// Removed from the configuration, but still has undelivered uploads.
    case removed
}

/// The state of a destination's circuit breaker.
public enum BreakerState: String, Codable, CaseIterable, Sendable {
    /// Photos are sent.
    case closed
    /// Open after too many failures. Nothing is sent until the next probe.
    case open
    /// One photo is sent as a trial.
    case halfOpen = "half_open"
}

/// Whether a destination offers a feature.
public enum FeatureSupport: String, Codable, CaseIterable, Sendable {
    /// The destination offers the feature.
    case offered
    /// The destination refuses the feature, and uploads use the fallback.
    case refused
    /// The feature was not tried yet.
    case unknown
}
