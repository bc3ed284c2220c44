public import FoundationEssentials

/// A photo in the ledger, from its first announcement to its final path on disk.
public struct CaptureRecord: Hashable, Sendable, Identifiable {
    /// The progress of a capture.
    public enum State: String, Codable, CaseIterable, Hashable, Sendable {
        /// Announced or listed, but not on disk.
        case seen
        /// Complete on disk in a `.part` file, which is being renamed to its final name.
        case publishing
        /// On disk under its final name, verified and durable.
        case saved
        /// Unreadable, or damaged on the card. A person must act.
        case setAside = "set_aside"
        /// On the card at the first connection, and not fetched (`existing = "skip"`).
        case skipped
        /// Has the same bytes as the saved capture ``duplicateOf``. For example, the camera announced a photo
        /// again in another folder.
        case duplicate
    }

    /// The number in the ledger. Numbers grow in the order of the first announcements.
    public var id: CaptureID
    /// The camera body in the ledger (see ``CameraBodies``).
    public var bodyID: BodyID
    /// The object on the card.
    public var object: CameraObject
    /// The progress of the capture.
    public var state: State
    /// The session that was running when the photo was taken, or `nil` if none was running.
    public var sessionID: SessionID?
    /// Whether the photo belongs to no session although a session was running when the photo was found. A
    /// person must release its uploads.
    public var isUnsorted = false
    /// The time of the first announcement, by this computer's clock.
    public var detectedAt: Date
    /// The time zone of the camera's clock when the photo was found, or `nil` for the camera's current zone.
    public var zone: TimeZone?
    /// The number of failed transfers.
    public var attempts: Int
    /// The absolute path of the file under its final name, or `nil` before state `publishing`.
    public var path: String?
    /// The number of bytes on disk, or `nil` before the transfer is complete.
    public var bytes: UInt64?
    /// The SHA-256 of the file, in lower-case hex.
    public var sha256: String?
    /// The sequence number in the file's name.
    public var counter: Int?
    /// The ledger number of the first file of the shot, or `nil` for a single file.
    public var pairID: CaptureID?
    /// The ledger number of another capture that may be the same photo, or `nil` if there is no such capture.
    /// Both captures usually have the same name, size and time. If their bytes are also equal, the state
    /// becomes `duplicate`.
    public var duplicateOf: CaptureID?
    /// The time at which the file became durable on disk.
    public var savedAt: Date?
    /// The duration of the transfer from the camera, in milliseconds.
    public var transferMs: Int?
    /// The last failure, for people.
    public var failure: String?
    /// The verification of the file against the original on the card, or `nil` before the photo is saved.
    public var verified: CaptureVerification?
    /// The time at which the service removed the local file after delivery to all destinations, or `nil` if
    /// the file still exists.
    public var clearedAt: Date?

    /// The rating in the file: 1...5 stars, 0 for none, -1 for rejected; `nil` if the file was not checked.
    public var rating: Int?

    /// The kind of the file.
    public var kind: MediaKind { MediaKind(fileName: object.name) }
    /// The extension of the camera's file name, in lower case.
    public var fileType: String { SafeName.split(object.name).ext.lowercased() }
    /// The number of bytes on disk, or the announced size before the transfer is complete.
    public var size: UInt64 { bytes ?? object.size }

    /// Returns whether the photo has at least this rating, or is protected in the camera.
    public func isRatedOrProtected(minimumRating: Int) -> Bool {
        (rating ?? 0) >= minimumRating || object.isProtected == true
    }

    /// Returns the file's path relative to a folder, or `nil` if the file is not in the folder.
    public func path(below folder: String) -> String? {
        guard let path, path.hasPrefix(folder + "/") else { return nil }
        return String(path.dropFirst(folder.count + 1))
    }

    /// Creates the record of a newly announced photo.
    public init(
        id: CaptureID, bodyID: BodyID, object: CameraObject, state: State, sessionID: SessionID?,
        detectedAt: Date
    ) {
        self.id = id
        self.bodyID = bodyID
        self.object = object
        self.state = state
        self.sessionID = sessionID
        self.detectedAt = detectedAt
        self.attempts = 0
    }
}
