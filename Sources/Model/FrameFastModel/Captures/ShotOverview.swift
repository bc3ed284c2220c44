public import FoundationEssentials

/// A shot with the facts that a contact sheet shows.
public struct ShotOverview: Hashable, Sendable, Identifiable {
    /// A file of the shot.
    public struct File: Hashable, Sendable {
        /// The number in the ledger.
        public var id: CaptureID
        /// The file name on the camera. Untrusted text.
        public var name: String
        /// The state in the ledger: `saved` or `setAside`.
        public var state: CaptureRecord.State
        /// The size, in bytes.
        public var size: UInt64
        /// The path of the file on this computer, or `nil` if the file was not saved.
        public var path: String?
        /// The SHA-256 in lower-case hex, or `nil` if the file was not saved.
        public var sha256: String?
        /// The rating in the file, as in ``CaptureRecord/rating``.
        public var rating: Int?
        /// Whether the local file was removed after its delivery.
        public var isCleared: Bool
        /// Whether all uploads of the file are delivered, and no destination has refused the file because of
        /// its rating. `nil` if the file has neither uploads nor refusals.
        public var isDelivered: Bool?
        /// The facts of the file's preview, or `nil` if the file was not examined.
        public var preview: PreviewRecord?

        /// Creates a file.
        public init(
            id: CaptureID, name: String, state: CaptureRecord.State = .saved, size: UInt64 = 0,
            path: String? = nil, sha256: String? = nil, rating: Int? = nil, isCleared: Bool = false,
            isDelivered: Bool? = nil, preview: PreviewRecord? = nil
        ) {
            self.id = id
            self.name = name
            self.state = state
            self.size = size
            self.path = path
            self.sha256 = sha256
            self.rating = rating
            self.isCleared = isCleared
            self.isDelivered = isDelivered
            self.preview = preview
        }

        /// The kind of the file.
        public var kind: MediaKind { MediaKind(fileName: name) }
    }

    /// The number of the shot.
    public var id: ShotID
    /// The body of the camera.
    public var bodyID: BodyID
    /// The session, or `nil` without one.
    public var session: SessionID?
    /// The capture time by the camera's clock, in seconds since 1970, or `nil` without a plausible time.
    public var cameraTime: Int64?
    /// The time zone of the camera's clock when the photo was found, or `nil` for the camera's current zone.
    public var zone: TimeZone?
    /// The time of the first announcement, by this computer's clock.
    public var detectedAt: Date
    /// The saved and damaged files, in the order of their numbers.
    public var files: [File]
    /// The opinion of each author, oldest first.
    public var opinions: [Opinion]

    /// Creates an overview.
    public init(
        id: ShotID, bodyID: BodyID, session: SessionID? = nil, cameraTime: Int64? = nil,
        zone: TimeZone? = nil, detectedAt: Date, files: [File], opinions: [Opinion] = []
    ) {
        self.id = id
        self.bodyID = bodyID
        self.session = session
        self.cameraTime = cameraTime
        self.zone = zone
        self.detectedAt = detectedAt
        self.files = files
        self.opinions = opinions
    }

    /// The rating of the shot.
    public var verdict: ShotVerdict { ShotVerdict(cameraRatings: files.map(\.rating), opinions: opinions) }

    /// The file whose preview represents the shot, or `nil` if no file can have a picture.
    ///
    /// The preview in a RAW file shows the same picture as the JPEG, and is decoded much faster. Files
    /// without a usable preview, and files that are no longer on this computer, come last.
    public var pictureSource: File? {
        func rank(_ file: File) -> (Int, Int, Int) {
            (file.preview?.state == .missing ? 1 : 0, file.isCleared ? 1 : 0, file.kind == .raw ? 0 : 1)
        }
        return files.filter { $0.state == .saved && $0.sha256 != nil && [.raw, .picture].contains($0.kind) }
            .min { rank($0) < rank($1) }
    }

    /// The first 16 hexadecimal digits of the picture source's SHA-256, or `nil` without a picture source. A
    /// new revision means a new picture.
    public var revision: String? { pictureSource?.sha256.map { String($0.prefix(Self.revisionDigits)) } }

    /// The number of hexadecimal digits in ``revision``. Within one shot, equal revisions mean equal files.
    public static let revisionDigits = 16

    /// Returns the time at which the shot was taken, by the camera's clock. Without a plausible time, returns
    /// the time of the first announcement.
    ///
    /// - Parameter cameraZone: The current time zone of the camera's clock.
    public func takenAt(cameraZone: TimeZone) -> Date {
        cameraTime.map { WallClock(seconds: $0).date(in: zone ?? cameraZone) } ?? detectedAt
    }
}
