public import FoundationEssentials

/// A capture (photo, movie or sidecar) and its state.
public struct CaptureReply: WireValue {
    /// The number in the ledger. Numbers increase in the order of detection.
    public var id: CaptureID
    /// The number of the shot, which is the number of its first file. A RAW and its JPEG have the same shot
    /// number.
    public var shotID: ShotID
    /// The state of the shot: among the states of its files, the one that comes first in `CaptureState`.
    @Word public var shotState: State?
    /// The absolute path of the file, or `nil` before it is saved.
    @OrNull public var path: String?
    /// The photo's file name on the camera. Untrusted data: escape it before printing it to a terminal.
    public var originalName: String
    /// The size, in bytes: the announced size before the file is saved, then the counted size.
    public var size: Int64
    /// The SHA-256 in lower-case hex, or `nil` before the file is saved.
    @OrNull public var sha256: String?
    /// The id of the camera, as in ``CameraReply/id``.
    public var cameraID: CameraID
    /// The name of the camera.
    public var cameraName: String
    /// The id of the session, or `nil` if no session was running.
    @OrNull public var session: SessionID?
    /// The time when the photo was taken, by the camera's clock in the camera's time zone. If the camera does
    /// not report a time, this value is the time when the host detected the photo.
    @OrNull public var capturedAt: Date?
    /// The time when the host detected the photo.
    public var detectedAt: Date
    /// The time when the file was durable under its final name, or `nil` before that time.
    @OrNull public var savedAt: Date?
    /// The state of the capture.
    @Word public var state: State?
    /// The duration of the transfer on the camera's link, in milliseconds, or `nil` if it is not known.
    @OrNull public var transferMs: Int?
    /// The time from detection until the file was durable, in milliseconds, or `nil` before the file is
    /// durable.
    @OrNull public var savedMs: Int?
    /// The reason why the photo is damaged, as a sentence, or `nil` if it is not damaged.
    @OrNull public var problem: String?
    /// The time when the file was removed from this computer, after its delivery to all destinations. `nil`
    /// if the file is still on this computer.
    @OrNull public var clearedAt: Date?
    /// The verification of the file against the photo on the card, or `nil` before the file is saved.
    @OrNull public var verified: Word<Verified>?

    private enum CodingKeys: String, CodingKey {
        case id
        case shotID = "shotId"
        case shotState, path, originalName, size, sha256
        case cameraID = "cameraId"
        case cameraName, session, capturedAt, detectedAt, savedAt, state, transferMs, savedMs, problem,
            clearedAt, verified
    }

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.originalName, "From the camera: escape it before printing it to a terminal"),
            .init(CodingKeys.sha256, "SHA-256 in lower-case hex"),
            .init(CodingKeys.shotID, "Number that the files of one shot share"),
            .init(
                CodingKeys.shotState,
                "Of the states of the shot's files, the one that is first in the list of examples"),
            .init(CodingKeys.cameraID, "The camera's `id`"),
            .init(CodingKeys.problem, "Reason for the damage"),
        ]
    }

    /// Creates a reply. Values that are not known yet default to `nil`.
    public init(
        id: CaptureID, shotID: ShotID? = nil, shotState: State? = nil, path: String? = nil,
        originalName: String,
        size: Int64, sha256: String? = nil, cameraID: CameraID, cameraName: String,
        session: SessionID? = nil,
        capturedAt: Date? = nil, detectedAt: Date, savedAt: Date? = nil, state: State, transferMs: Int? = nil,
        savedMs: Int? = nil,
        problem: String? = nil, clearedAt: Date? = nil, verified: Verified? = nil
    ) {
        self.id = id
        self.shotID = shotID ?? ShotID(first: id)
        self._shotState = Word(shotState ?? state)
        self._path = OrNull(wrappedValue: path)
        self.originalName = originalName
        self.size = size
        self._sha256 = OrNull(wrappedValue: sha256)
        self.cameraID = cameraID
        self.cameraName = cameraName
        self._session = OrNull(wrappedValue: session)
        self._capturedAt = OrNull(wrappedValue: capturedAt)
        self.detectedAt = detectedAt
        self._savedAt = OrNull(wrappedValue: savedAt)
        self._state = Word(state)
        self._transferMs = OrNull(wrappedValue: transferMs)
        self._savedMs = OrNull(wrappedValue: savedMs)
        self._problem = OrNull(wrappedValue: problem)
        self._clearedAt = OrNull(wrappedValue: clearedAt)
        self._verified = OrNull(wrappedValue: verified.map { Word($0) })
    }

    /// The verification of a saved photo's bytes.
    public typealias Verified = CaptureVerification

    /// The state of a photo, from detection to delivery.
    public typealias State = CaptureState
}

/// One page of `GET /v1/captures`, newest shot first. The files of a shot are adjacent.
public struct CapturesReply: WireValue {
    /// The photos of this page.
    public var captures: [CaptureReply]
    /// The cursor of the next page, or `nil` on the last page.
    @OrNull public var nextCursor: String?

    /// Creates a page.
    public init(captures: [CaptureReply], nextCursor: String? = nil) {
        self.captures = captures
        self._nextCursor = OrNull(wrappedValue: nextCursor)
    }
}

/// A query for photos.
public struct CapturesQuery: WireRequest {
    /// The largest page, in shots. A page with two files of about 700 bytes for each shot has about 1.5 MB.
    public static let limitMax = 1000
    /// The default page size, in shots.
    public static let limitDefault = 100

    /// The page size, in shots, 1...``limitMax``. A RAW and its JPEG are one shot.
    public var limit: Int
    /// The `next_cursor` of the previous page, or `nil` for the newest page.
    public var cursor: String?
    /// The session of the listed photos, or `nil` for all sessions.
    public var session: SessionID?
    /// The camera of the listed photos, or `nil` for all cameras.
    public var camera: CameraReference?
    /// The state of the listed photos, or `nil` for all states.
    public var state: Word<CaptureState>?

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.limit, range: 1...Int64(limitMax), defaultValue: limitDefault),
            .init(CodingKeys.cursor, "next_cursor of the previous page"),
            .init(CodingKeys.session, range: 1...Int64.max),
            .init(CodingKeys.camera, "Id or name of the camera"),
        ]
    }

    /// Creates a query.
    public init(
        limit: Int = CapturesQuery.limitDefault, cursor: String? = nil, session: SessionID? = nil,
        camera: CameraReference? = nil, state: CaptureState? = nil
    ) {
        self.limit = limit
        self.cursor = cursor
        self.session = session
        self.camera = camera
        self.state = state.map { Word($0) }
    }
}
