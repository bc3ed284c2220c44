public import FoundationEssentials

/// An upload: one photo to one destination.
public struct UploadJobReply: WireValue {
    /// The number of the upload.
    public var id: JobID
    /// The number of the photo.
    public var capture: CaptureID
    /// The photo's file name on the camera. Untrusted data: escape it before printing it to a terminal.
    public var originalName: String
    /// The absolute path of the file on this computer.
    public var path: String
    /// The id of the camera, as in ``CameraReply/id``.
    public var cameraID: CameraID
    /// The name of the camera.
    public var cameraName: String
    /// The id of the session, or `nil` if no session was running.
    @OrNull public var session: SessionID?
    /// The name of the destination.
    public var destination: DestinationName
    /// Whether the destination is no longer in the configuration. The upload then makes no progress.
    public var isRemoved: Bool
    /// The current state.
    @Word public var state: State?
    /// The reason why the upload is held, or `nil` if it is not held.
    @OrNull public var hold: Word<Hold>?
    /// The reason why the upload is held, retrying or failed, as a sentence, or `nil` for other states.
    @OrNull public var reason: String?
    /// The next step for a person, as a sentence, or `nil` if no action is needed.
    @OrNull public var nextStep: String?
    /// The number of attempts started. Attempts that end in an outage do not count.
    public var attempts: Int
    /// The time of the next attempt, or `nil` if no retry is planned.
    @OrNull public var retryAt: Date?
    /// The size of the file, in bytes.
    public var bytes: Int64
    /// The number of bytes at the destination so far.
    public var bytesSent: Int64
    /// The method by which the remote copy was verified, or `nil` before delivery.
    @OrNull public var proof: Word<Proof>?
    /// The compared value, for example `etag 9e107d9d…`, or `nil` before delivery.
    @OrNull public var evidence: String?
    /// The name at the destination, or `nil` before the name is chosen.
    @OrNull public var remoteName: String?
    /// The time of the last change.
    public var updatedAt: Date

    private enum CodingKeys: String, CodingKey {
        case id, capture, originalName, path
        case cameraID = "cameraId"
        case cameraName, session, destination, isRemoved, state, hold, reason, nextStep, attempts, retryAt,
            bytes, bytesSent
        case proof, evidence, remoteName, updatedAt
    }

    /// The description in the OpenAPI document.
    public static let summary = "The upload of one photo to one destination"
    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.originalName, "From the camera: escape it before printing it to a terminal"),
            .init(CodingKeys.isRemoved, "Whether the destination is no longer configured"),
        ]
    }

    /// Creates a reply. Values that are not known yet default to `nil`.
    public init(
        id: JobID, capture: CaptureID, originalName: String, path: String, cameraID: CameraID,
        cameraName: String,
        session: SessionID? = nil, destination: DestinationName, isRemoved: Bool = false, state: State,
        hold: Hold? = nil, reason: String? = nil,
        nextStep: String? = nil, attempts: Int = 0,
        retryAt: Date? = nil, bytes: Int64, bytesSent: Int64 = 0, proof: Word<Proof>? = nil,
        evidence: String? = nil, remoteName: String? = nil, updatedAt: Date
    ) {
        self.id = id
        self.capture = capture
        self.originalName = originalName
        self.path = path
        self.cameraID = cameraID
        self.cameraName = cameraName
        self._session = OrNull(wrappedValue: session)
        self.destination = destination
        self.isRemoved = isRemoved
        self._state = Word(state)
        self._hold = OrNull(wrappedValue: hold.map { Word($0) })
        self._reason = OrNull(wrappedValue: reason)
        self._nextStep = OrNull(wrappedValue: nextStep)
        self.attempts = attempts
        self._retryAt = OrNull(wrappedValue: retryAt)
        self.bytes = bytes
        self.bytesSent = bytesSent
        self._proof = OrNull(wrappedValue: proof)
        self._evidence = OrNull(wrappedValue: evidence)
        self._remoteName = OrNull(wrappedValue: remoteName)
        self.updatedAt = updatedAt
    }

    /// The state of an upload.
    public typealias State = UploadState

    /// A reason why an upload is held.
    public typealias Hold = UploadHold

    /// The method by which a remote copy was verified.
    public typealias Proof = UploadProof
}

/// One page of `GET /v1/uploads`, newest job first.
public struct UploadsReply: WireValue {
    /// The uploads of this page.
    public var jobs: [UploadJobReply]
    /// The cursor of the next page, or `nil` on the last page.
    @OrNull public var nextCursor: String?

    /// Creates a page.
    public init(jobs: [UploadJobReply], nextCursor: String? = nil) {
        self.jobs = jobs
        self._nextCursor = OrNull(wrappedValue: nextCursor)
    }
}

/// A query for uploads.
public struct UploadsQuery: WireRequest {
    /// The largest page, in uploads. With about 700 bytes for each upload, such a page has less than 1 MB.
    public static let limitMax = 1000
    /// The default page size, in uploads.
    public static let limitDefault = 100

    /// The page size, in uploads, 1...``limitMax``.
    public var limit: Int
    /// The `next_cursor` of the previous page, or `nil` for the newest page.
    public var cursor: String?
    /// The states of the listed uploads, or an empty list for all states. On the wire, the list is
    /// comma-separated text: `state=held,queued`.
    public var states: [Word<UploadState>]
    /// The destination of the listed uploads, or `nil` for all destinations.
    public var destination: DestinationName?
    /// The session of the listed uploads, or `nil` for all sessions.
    public var session: SessionID?
    /// The camera of the listed uploads, or `nil` for all cameras.
    public var camera: CameraReference?

    private enum CodingKeys: String, CodingKey {
        case limit, cursor
        case states = "state"
        case destination, session, camera
    }

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.limit, range: 1...Int64(limitMax), defaultValue: limitDefault),
            .init(CodingKeys.cursor, "next_cursor of the previous page"),
            .init(CodingKeys.states, "One or more states, comma-separated: held,queued"),
            .init(CodingKeys.session, range: 1...Int64.max),
            .init(CodingKeys.camera, "Id or name of the camera"),
        ]
    }

    /// Creates a query.
    public init(
        limit: Int = UploadsQuery.limitDefault, cursor: String? = nil, states: [UploadState] = [],
        destination: DestinationName? = nil, session: SessionID? = nil, camera: CameraReference? = nil
    ) {
        self.limit = limit
        self.cursor = cursor
        self.states = states.map { Word($0) }
        self.destination = destination
        self.session = session
        self.camera = camera
    }
}
