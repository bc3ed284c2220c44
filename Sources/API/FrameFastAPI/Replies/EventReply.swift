public import FoundationEssentials

/// One event of `GET /v1/events`.
///
/// A stream starts with a `snapshot`. Numbered changes follow. Each change contains the complete new value,
/// so applying a change twice is harmless. A reader that is too slow loses events. It receives `resync`, and
/// then a new `snapshot`.
public struct EventReply: WireVariants {
    /// The description in the OpenAPI document.
    public static let summary =
        "Each kind has one additional key with the complete new value. camera_removed has an id, and resync has no additional key"
    /// The key of the field that selects the kind.
    public static let variantKey = "kind"
    /// All kinds that this build sends.
    public static var variants: [String] { Body.kinds }

    /// The number of the event. Numbers increase, but may have gaps: a slow reader receives only the newest
    /// value of a camera. A snapshot has the number of the last change that it contains.
    public var seq: UInt64
    /// The time of the event.
    public var at: Date
    /// The content of the event.
    public var body: Body

    /// Creates an event.
    public init(seq: UInt64, at: Date, body: Body) {
        self.seq = seq
        self.at = at
        self.body = body
    }

    /// The content of an event.
    public enum Body: Hashable, Sendable {
        /// The complete current state, which replaces the reader's state.
        case snapshot(StatusReply)
        /// A new or changed camera. The progress of its photos is published at most four times a second.
        case camera(CameraReply)
        /// The id of a camera that is no longer listed.
        case cameraRemoved(CameraID)
        /// A new photo, or a photo whose state changed.
        case capture(CaptureReply)
        /// A session that started, counted more photos (`endedAt` is `nil`) or stopped.
        case session(SessionReply)
        /// An upload whose state or progress changed. Progress within a file is published at most a few times
        /// a second.
        case upload(UploadJobReply)
        /// A destination that changed.
        case destination(DestinationReply)
        /// All current conditions.
        case conditions([ConditionReply])
        /// The new statistics.
        case statistics(CaptureStatisticsReply, DiskReply, UploadStatisticsReply)
        /// The new state of the daemon.
        case state(Word<DaemonState>)
        /// The reader was too slow and lost events. A snapshot follows.
        case resync
        /// An event whose kind this build does not know.
        case unknown(kind: String)

        /// The kind on the wire, which is also the `event:` field of the stream.
        public var kind: String {
            let kind: Kind
            switch self {
            case .snapshot: kind = .snapshot
            case .camera: kind = .camera
            case .cameraRemoved: kind = .cameraRemoved
            case .capture: kind = .capture
            case .session: kind = .session
            case .upload: kind = .upload
            case .destination: kind = .destination
            case .conditions: kind = .conditions
            case .statistics: kind = .statistics
            case .state: kind = .state
            case .resync: kind = .resync
            case .unknown(let kind): return kind
            }
            return kind.rawValue
        }

        /// All kinds that this build sends, as in the OpenAPI document.
        public static let kinds = Kind.allCases.map(\.rawValue)
    }

    /// The kinds of this build. Their raw values are the names on the wire.
    fileprivate enum Kind: String, CaseIterable {
        case snapshot, camera
        case cameraRemoved = "camera_removed"
        case capture, session, upload, destination, conditions, statistics, state, resync
    }
}

extension EventReply {
    private enum CodingKeys: String, CodingKey {
        case seq, at, kind, snapshot, camera, id, capture, session, upload, destination, conditions, captures
        case disk, uploads, state
    }

    /// Decodes an event. An unknown kind becomes ``Body/unknown(kind:)``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        seq = try container.decode(UInt64.self, forKey: .seq)
        at = try container.decode(Date.self, forKey: .at)
        let kind = try container.decode(String.self, forKey: .kind)
        body =
            switch Kind(rawValue: kind) {
            case .snapshot: .snapshot(try container.decode(StatusReply.self, forKey: .snapshot))
            case .camera: .camera(try container.decode(CameraReply.self, forKey: .camera))
            case .cameraRemoved: .cameraRemoved(try container.decode(CameraID.self, forKey: .id))
            case .capture: .capture(try container.decode(CaptureReply.self, forKey: .capture))
            case .session: .session(try container.decode(SessionReply.self, forKey: .session))
            case .upload: .upload(try container.decode(UploadJobReply.self, forKey: .upload))
            case .destination:
                .destination(try container.decode(DestinationReply.self, forKey: .destination))
            case .conditions:
                .conditions(try container.decode([ConditionReply].self, forKey: .conditions))
            case .statistics:
                .statistics(
                    try container.decode(CaptureStatisticsReply.self, forKey: .captures),
                    try container.decode(DiskReply.self, forKey: .disk),
                    try container.decode(UploadStatisticsReply.self, forKey: .uploads))
            case .state: .state(try container.decode(Word<DaemonState>.self, forKey: .state))
            case .resync: .resync
            case nil: .unknown(kind: kind)
            }
    }

    /// Encodes the event.
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
        case .session(let session): try container.encode(session, forKey: .session)
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
