/// `POST /v1/uploads/retry`, `hold`, `release`, `drop`: which jobs. All that is given must fit.
///
/// `retry` brings back what failed or waits, `hold` keeps back what is not being sent yet, `release` lets go what is
/// held, `drop` forgets what is not delivered: jobs in other states are passed over. Files here are never touched.
/// `release` and `first` take photos that belong to no session only by ``UploadSelection/ids``.
public struct UploadSelection: WireRequest {
    /// Most ids in one request.
    public static let idsMax = 1000

    /// Only jobs to this destination.
    public var destination: DestinationName?
    /// Only jobs of this session's photos.
    public var session: SessionID?
    /// Only jobs of photos of the camera with this id.
    public var camera: CameraReference?
    /// Only jobs in this state.
    public var state: UploadJobReply.State?
    /// Only the jobs with these numbers, 1...``idsMax`` of them.
    public var ids: [JobID]?
    /// `true` for every job: has to be said when nothing else is.
    public var all: Bool?
    /// `true` to count only, and change nothing.
    public var dryRun: Bool?

    /// What the document says of it.
    public static let summary =
        "All that is given must fit; jobs in states that do not fit the change are passed over"
    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.camera, "Id or name of the camera"),
            .init(CodingKeys.ids, count: 1...idsMax),
            .init(CodingKeys.all, "True for every job, when nothing else is given"),
            .init(CodingKeys.dryRun, "True to count only"),
        ]
    }

    /// Creates a selection.
    public init(
        destination: DestinationName? = nil, session: SessionID? = nil, camera: CameraReference? = nil,
        state: UploadJobReply.State? = nil, ids: [JobID]? = nil, all: Bool? = nil, dryRun: Bool? = nil
    ) {
        self.destination = destination
        self.session = session
        self.camera = camera
        self.state = state
        self.ids = ids
        self.all = all
        self.dryRun = dryRun
    }

    /// Whether nothing narrows it down.
    public var isEmpty: Bool {
        destination == nil && session == nil && camera == nil && state == nil && ids == nil
    }
}

/// `POST /v1/uploads/add`: photos that are to go to a destination, whatever the mode says. Those that have a job
/// there already are passed over.
public struct UploadAddRequest: WireRequest {
    /// Most ids in one request.
    public static let idsMax = 1000

    /// Name of the destination.
    public var to: DestinationName
    /// Only photos of this session.
    public var session: SessionID?
    /// Only photos of this camera.
    public var camera: CameraReference?
    /// Only the photos with these numbers, 1...``idsMax`` of them.
    public var ids: [CaptureID]?
    /// `true` for every photo: has to be said when nothing else is.
    public var all: Bool?

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.to, "Name of the destination"),
            .init(CodingKeys.camera, "Id or name of the camera"),
            .init(CodingKeys.ids, count: 1...idsMax),
            .init(CodingKeys.all, "True for every photo, when nothing else is given"),
        ]
    }

    /// Creates a request.
    public init(
        to: DestinationName, session: SessionID? = nil, camera: CameraReference? = nil,
        ids: [CaptureID]? = nil, all: Bool? = nil
    ) {
        self.to = to
        self.session = session
        self.camera = camera
        self.ids = ids
        self.all = all
    }

    /// Whether nothing narrows it down.
    public var isEmpty: Bool { session == nil && camera == nil && ids == nil }
}

/// Answer to a change of upload jobs.
public struct UploadChangeReply: WireValue {
    /// Jobs that changed, or would.
    public var changed: Int
    /// The jobs that `release` and `first` leave held, or the photos that `add` leaves out, because the photos are older than
    /// the running session and belong to no other; `nil` without such photos.
    @OrNull public var leftUnsorted: Int?

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(
                CodingKeys.leftUnsorted,
                "Of release and first: jobs that stay held. Of add: photos that are not added. Their photos are older than "
                    + "the running session and belong to no other. Give their numbers as ids to send them")
        ]
    }

    /// Creates a reply.
    public init(changed: Int, leftUnsorted: Int? = nil) {
        self.changed = changed
        self._leftUnsorted = OrNull(wrappedValue: leftUnsorted)
    }
}
