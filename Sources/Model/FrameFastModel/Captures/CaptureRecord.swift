public import FoundationEssentials

/// A photo in the ledger, from the first word about it to its place on disk.
public struct CaptureRecord: Hashable, Sendable, Identifiable {
    /// How far it has come.
    public enum State: String, Codable, CaseIterable, Hashable, Sendable {
        /// On the card, not on disk.
        case seen
        /// Whole on disk in its `.part` file; its final name is decided and being taken.
        case publishing
        /// On disk under its final name, checked and durable.
        case saved
        /// Cannot be fetched or is damaged on the card; waits for a person.
        case setAside = "set_aside"
        /// Was on the card at the first meeting and is not wanted (`existing = "skip"`).
        case skipped
        /// Told of a second time, under another folder: its bytes are those of a capture that is saved (``twinID``).
        case duplicate
    }

    /// Number in the ledger; grows in the order in which photos were heard of.
    public var id: CaptureID
    /// Who the camera is in the ledger (see ``CameraBodies``).
    public var bodyID: BodyID
    /// The object on the card.
    public var object: CameraObject
    /// How far it has come.
    public var state: State
    /// The session that ran when it was taken, or `nil` if none ran.
    public var sessionID: SessionID?
    /// Whether it was taken before the session that ran when it was found, and in no other: it is uploaded when a person
    /// says so.
    public var isUnsorted = false
    /// When the host first heard of it.
    public var detectedAt: Date
    /// The zone of the camera's clock when the photo was found, or `nil` for that of its camera now.
    public var zone: TimeZone?
    /// Attempts to fetch it that failed.
    public var attempts: Int
    /// Absolute path of the published file; set from `publishing` on.
    public var path: String?
    /// Bytes on disk.
    public var bytes: UInt64?
    /// SHA-256 of the file, lower-case hex.
    public var sha256: String?
    /// Running number in its name.
    public var counter: Int?
    /// Ledger number of the first file of its RAW+JPEG pair; `nil` for a single file.
    public var pairID: CaptureID?
    /// Ledger number of another capture of this camera with the same name, size and time. It may be the same photo:
    /// their bytes decide, and once they are found equal the state is `duplicate`. `nil` when there is none.
    public var twinID: CaptureID?
    /// When it was durable on disk.
    public var savedAt: Date?
    /// Time on the camera's link, milliseconds.
    public var transferMs: Int?
    /// Why it is set aside, for people.
    public var failure: String?
    /// When it was deleted on the camera; `nil` while it is still there.
    public var deletedOnCameraAt: Date?
    /// How sure it is that the file has the bytes of the photo on the card; `nil` before it is saved.
    public var verified: CaptureVerification?
    /// When its file was cleared here, because it is delivered everywhere; `nil` while it is here.
    public var clearedAt: Date?

    /// Stars in its file, 1...5; 0 for none, -1 for rejected; `nil` when nobody looked.
    public var rating: Int?

    /// What the file is.
    public var kind: MediaKind { MediaKind(fileName: object.name) }
    /// The extension of the camera's name, in lower case.
    public var fileType: String { SafeName.split(object.name).ext.lowercased() }
    /// Bytes on disk; as announced before they are there.
    public var size: UInt64 { bytes ?? object.size }

    /// Whether it has so many stars, or is protected in the camera.
    public func isChosen(minimumRating: Int) -> Bool {
        (rating ?? 0) >= minimumRating || object.isProtected == true
    }

    /// The path of its file below a folder; `nil` when it has none there.
    public func path(below folder: String) -> String? {
        guard let path, path.hasPrefix(folder + "/") else { return nil }
        return String(path.dropFirst(folder.count + 1))
    }

    /// Creates a record that was just heard of.
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
