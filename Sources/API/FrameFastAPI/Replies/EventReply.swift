public import FoundationEssentials

/// One event of `GET /v1/events`.
///
/// A stream starts with a `snapshot`; after it come numbered changes. Each change carries the whole new value of
/// what changed, so applying one twice does no harm. After `resync` (this reader was too slow, events were left
/// out) the next event is a new `snapshot`.
public struct EventReply: WireVariants {
    /// What the document says of it.
    public static let summary =
        "One key more by kind, holding the whole new value; camera_removed has an id, resync nothing"
    /// What tells the kinds apart.
    public static let variantKey = "kind"
    /// Every kind that this build sends.
    public static var variants: [String] { Body.kinds }

    /// Number of the event; grows by one an event. A snapshot carries the number of the last change that it
    /// surely contains.
    public var seq: UInt64
    /// When it happened.
    public var at: Date
    /// What happened.
    public var body: Body

    /// Creates an event.
    public init(seq: UInt64, at: Date, body: Body) {
        self.seq = seq
        self.at = at
        self.body = body
    }

    /// What happened.
    public enum Body: Hashable, Sendable {
        /// Everything, as of now. Replaces all that the reader knew.
        case snapshot(StatusReply)
        /// A camera is new or changed.
        case camera(CameraReply)
        /// A camera is no longer listed; its id.
        case cameraRemoved(CameraID)
        /// A photo is new or further.
        case capture(CaptureReply)
        /// A saved shot is new, or its picture or what people say of it changed: one row of what `/v1/shots` lists.
        case shot(ShotsReply)
        /// A session started, or counted more photos (`endedAt` is `nil`), or stopped.
        case session(SessionReply)
        /// What the next photos are given changed: all of it.
        case fields(FieldsReply)
        /// An upload job went further. Progress within one file is told a few times a second at most.
        case upload(UploadJobReply)
        /// A destination changed.
        case destination(DestinationReply)
        /// The whole new list of conditions.
        case conditions([ConditionReply])
        /// The statistics changed.
        case statistics(CaptureStatisticsReply, DiskReply, UploadStatisticsReply)
        /// The daemon's state changed.
        case state(StatusReply.State)
        /// This reader was too slow and lost events; a snapshot follows.
        case resync
        /// An event of a newer daemon.
        case unknown(kind: String)

        /// The word for it, also the `event:` line of the stream.
        public var kind: String {
            switch self {
            case .snapshot: "snapshot"
            case .camera: "camera"
            case .cameraRemoved: "camera_removed"
            case .capture: "capture"
            case .shot: "shot"
            case .session: "session"
            case .fields: "fields"
            case .upload: "upload"
            case .destination: "destination"
            case .conditions: "conditions"
            case .statistics: "statistics"
            case .state: "state"
            case .resync: "resync"
            case .unknown(let kind): kind
            }
        }

        /// Every kind that this build sends; the document lists the same.
        public static let kinds = [
            "snapshot", "camera", "camera_removed", "capture", "shot", "session", "fields", "upload",
            "destination",
            "conditions",
            "statistics", "state", "resync",
        ]
    }
}

extension EventReply {
    private enum CodingKeys: String, CodingKey {
        case seq, at, kind, snapshot, camera, id, capture, shot, session, fields, upload, destination,
            conditions,
            captures
        case disk, uploads, state
    }

    /// Reads an event; an unknown kind becomes ``Body/unknown(kind:)``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        seq = try container.decode(UInt64.self, forKey: .seq)
        at = try container.decode(Date.self, forKey: .at)
        let kind = try container.decode(String.self, forKey: .kind)
        body =
            switch kind {
            case "snapshot": .snapshot(try container.decode(StatusReply.self, forKey: .snapshot))
            case "camera": .camera(try container.decode(CameraReply.self, forKey: .camera))
            case "camera_removed": .cameraRemoved(try container.decode(CameraID.self, forKey: .id))
            case "capture": .capture(try container.decode(CaptureReply.self, forKey: .capture))
            case "shot": .shot(try container.decode(ShotsReply.self, forKey: .shot))
            case "session": .session(try container.decode(SessionReply.self, forKey: .session))
            case "fields": .fields(try container.decode(FieldsReply.self, forKey: .fields))
            case "upload": .upload(try container.decode(UploadJobReply.self, forKey: .upload))
            case "destination":
                .destination(try container.decode(DestinationReply.self, forKey: .destination))
            case "conditions":
                .conditions(try container.decode([ConditionReply].self, forKey: .conditions))
            case "statistics":
                .statistics(
                    try container.decode(CaptureStatisticsReply.self, forKey: .captures),
                    try container.decode(DiskReply.self, forKey: .disk),
                    try container.decode(UploadStatisticsReply.self, forKey: .uploads))
            case "state": .state(try container.decode(StatusReply.State.self, forKey: .state))
            case "resync": .resync
            default: .unknown(kind: kind)
            }
    }

    /// Writes an event.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(seq, forKey: .seq)
        try container.encode(at, forKey: .at)
        try container.encode(body.kind, forKey: .kind)
        switch body {
        case .snapshot(let status): try container.encode(status, forKey: .snapshot)
        case .camera(let camera): try container.encode(camera, forKey: .camera)
        case .cameraRemoved(let id): try container.encode(id, forKey: .id)
        case .capture(let capture): try container.encode(capture, forKey: .capture)
        case .shot(let shot): try container.encode(shot, forKey: .shot)
        case .session(let session): try container.encode(session, forKey: .session)
        case .fields(let fields): try container.encode(fields, forKey: .fields)
        case .upload(let job): try container.encode(job, forKey: .upload)
        case .destination(let destination): try container.encode(destination, forKey: .destination)
        case .conditions(let conditions): try container.encode(conditions, forKey: .conditions)
        case .statistics(let captures, let disk, let uploads):
            try container.encode(captures, forKey: .captures)
            try container.encode(disk, forKey: .disk)
            try container.encode(uploads, forKey: .uploads)
        case .state(let state): try container.encode(state, forKey: .state)
        case .resync, .unknown: break
        }
    }
}
