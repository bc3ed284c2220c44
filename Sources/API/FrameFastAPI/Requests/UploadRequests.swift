/// `POST /v1/uploads/retry`, `hold`, `release`, `first` and `drop`: a selection of uploads. All given
/// criteria must match.
///
/// - `retry` retries failed and retrying uploads.
/// - `hold` holds undelivered uploads, and stops running ones.
/// - `release` releases held uploads.
/// - `first` moves undelivered uploads to the front of the queue, and releases or retries them.
/// - `drop` removes undelivered uploads from the queue.
///
/// Uploads in other states are skipped. Local files never change. `release` and `first` include an upload of
/// an unsorted photo only if ``UploadSelection/ids`` contains the upload's id. A photo is unsorted if a
/// session was running when FrameFast found the photo, but the photo is older than this session.
public struct UploadSelection: WireRequest {
    /// The maximum number of ids in one request.
    public static let idsMax = 1000

    /// The destination of the selected uploads, or `nil` for all destinations.
    public var destination: DestinationName?
    /// The session to which the selection is limited, or `nil` for all sessions.
    public var session: SessionID?
    /// The camera to which the selection is limited, or `nil` for all cameras.
    public var camera: CameraReference?
    /// The state of the selected uploads, or `nil` for all states.
    public var state: Word<UploadState>?
    /// The ids of the selected uploads, 1...``idsMax`` of them, or `nil` for all uploads.
    public var ids: [JobID]?
    /// Whether to select every upload. Required if no other criterion is given.
    public var all: Bool?
    /// Whether to count the uploads without changing them.
    public var dryRun: Bool?

    /// The description in the OpenAPI document.
    public static let summary =
        "All given filters must match. Jobs in states that do not allow the change are skipped"
    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.camera, "Id or name of the camera"),
            .init(CodingKeys.ids, count: 1...idsMax),
            .init(CodingKeys.all, "True to select every job. Required if no filter is given"),
            .init(CodingKeys.dryRun, "True to count the jobs without changing them"),
        ]
    }

    /// Creates a selection.
    public init(
        destination: DestinationName? = nil, session: SessionID? = nil, camera: CameraReference? = nil,
        state: UploadState? = nil, ids: [JobID]? = nil, all: Bool? = nil, dryRun: Bool? = nil
    ) {
        self.destination = destination
        self.session = session
        self.camera = camera
        self.state = state.map { Word($0) }
        self.ids = ids
        self.all = all
        self.dryRun = dryRun
    }

    /// Whether the selection has no criteria.
    public var isEmpty: Bool {
        destination == nil && session == nil && camera == nil && state == nil && ids == nil
    }
}

/// `POST /v1/uploads/add`: sends photos to a destination regardless of the mode. Releases or retries an
/// undelivered upload that already exists.
public struct UploadAddRequest: WireRequest {
    /// The maximum number of ids in one request.
    public static let idsMax = 1000

    /// The name of the destination.
    public var to: DestinationName
    /// The session to which the selection is limited, or `nil` for all sessions.
    public var session: SessionID?
    /// The camera to which the selection is limited, or `nil` for all cameras.
    public var camera: CameraReference?
    /// The ids of the selected photos, 1...``idsMax`` of them, or `nil` for all photos.
    public var ids: [CaptureID]?
    /// Whether to select every photo. Required if no other criterion is given.
    public var all: Bool?

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.to, "Name of the destination"),
            .init(CodingKeys.camera, "Id or name of the camera"),
            .init(CodingKeys.ids, count: 1...idsMax),
            .init(CodingKeys.all, "True to select every photo. Required if no filter is given"),
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

    /// Whether the request has no criteria.
    public var isEmpty: Bool { session == nil && camera == nil && ids == nil }
}

/// The reply to a change of uploads.
public struct UploadChangeReply: WireValue {
    /// The number of uploads that changed, or would change.
    public var changed: Int
    /// For `release` and `first`, the number of uploads that stay held because their photos are unsorted. For
    /// `add`, the number of skipped unsorted photos. `nil` if no unsorted photo matches. Unsorted photos
    /// belong to no session: see ``UploadSelection``.
    @OrNull public var leftUnsorted: Int?

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(
                CodingKeys.leftUnsorted,
                "For release and first: number of jobs that stay held. For add: number of photos that are not added. The photos are older than "
                    + "the running session and belong to no session. Give their numbers as ids to send them")
        ]
    }

    /// Creates a reply.
    public init(changed: Int, leftUnsorted: Int? = nil) {
        self.changed = changed
        self._leftUnsorted = OrNull(wrappedValue: leftUnsorted)
    }
}
