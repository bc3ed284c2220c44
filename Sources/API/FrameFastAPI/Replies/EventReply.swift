public import FoundationEssentials

/// One event of `GET /v1/events`.
///
/// A stream starts with a `snapshot`. Numbered changes follow. Each change contains the complete new value,
/// so applying a change twice is harmless. A reader that is too slow loses events. The reader then receives
/// `resync` and a new `snapshot`.
public struct EventReply: WireVariants {
    /// The description in the OpenAPI document.
    public static let summary =
        "Each kind has one additional key with the complete new value. camera_removed has an id, and resync has no additional key"
    /// The key of the field that selects the kind.
    public static let variantKey = "kind"
    /// All kinds that this build sends.
    public static var variants: [String] { Body.kinds }

    /// The number of the event. Numbers increase, but may have gaps: a slow reader receives only the newest
    /// progress of a camera. A snapshot has the number of the last change that it contains.
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
    ///
    /// A new kind needs a case here and in `Kind`, and a line in each of the two switches over the kinds. The
    /// compiler reports a missing line.
    public enum Body: Hashable, Sendable {
        /// The complete current state, which replaces the reader's state.
        case snapshot(StatusReply)
        /// A new or changed camera. The progress of its photos is published at most four times a second.
        case camera(CameraReply)
        /// The id of a camera that is no longer listed.
        case cameraRemoved(CameraID)
        /// A new photo, or a photo whose state changed.
        case capture(CaptureReply)
        /// A shot with a new file, a new rating or a new state of delivery.
        case shot(ShotChangeReply)
        /// A session that started, has more photos, or stopped. `endedAt` is `nil` until it stops.
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
        public var kind: String { coding.kind }

        /// All kinds that this build sends, as in the OpenAPI document.
        public static let kinds = Kind.allCases.map(\.rawValue)
    }
}

extension EventReply {
    /// Decodes an event. An unknown kind becomes ``Body/unknown(kind:)``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        seq = try container.decode(UInt64.self, forKey: "seq")
        at = try container.decode(Date.self, forKey: "at")
        let kind = try container.decode(String.self, forKey: "kind")
        body = try Body(kind: kind, Fields(container: container))
    }

    /// Encodes the event.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(seq, forKey: "seq")
        try container.encode(at, forKey: "at")
        let coding = body.coding
        try container.encode(coding.kind, forKey: "kind")
        for (key, value) in coding.fields { try container.encode(value, forKey: key) }
    }
}

// MARK: Kinds

extension EventReply {
    /// The kinds of this build. Their raw values are the names on the wire.
    fileprivate enum Kind: String, CaseIterable {
        case snapshot, camera
        case cameraRemoved = "camera_removed"
        case capture, shot, session, upload, destination, conditions, statistics, state, resync
    }
}

extension EventReply.Body {
    /// Decodes the content from the fields of its kind.
    fileprivate init(kind: String, _ fields: EventReply.Fields) throws {
        self =
            switch EventReply.Kind(rawValue: kind) {
            case .snapshot: .snapshot(try fields["snapshot"])
            case .camera: .camera(try fields["camera"])
            case .cameraRemoved: .cameraRemoved(try fields["id"])
            case .capture: .capture(try fields["capture"])
            case .shot: .shot(try fields["shot"])
            case .session: .session(try fields["session"])
            case .upload: .upload(try fields["upload"])
            case .destination: .destination(try fields["destination"])
            case .conditions: .conditions(try fields["conditions"])
            case .statistics:
                .statistics(try fields["captures"], try fields["disk"], try fields["uploads"])
            case .state: .state(try fields["state"])
            case .resync: .resync
            case nil: .unknown(kind: kind)
            }
    }

    /// The kind and the fields to encode.
    fileprivate var coding: EventReply.Coding {
        switch self {
        case .snapshot(let status): .init(.snapshot, ["snapshot": status])
        case .camera(let camera): .init(.camera, ["camera": camera])
        case .cameraRemoved(let id): .init(.cameraRemoved, ["id": id])
        case .capture(let capture): .init(.capture, ["capture": capture])
        case .shot(let shot): .init(.shot, ["shot": shot])
        case .session(let session): .init(.session, ["session": session])
        case .upload(let job): .init(.upload, ["upload": job])
        case .destination(let destination): .init(.destination, ["destination": destination])
        case .conditions(let conditions): .init(.conditions, ["conditions": conditions])
        case .statistics(let captures, let disk, let uploads):
            .init(.statistics, ["captures": captures, "disk": disk, "uploads": uploads])
        case .state(let state): .init(.state, ["state": state])
        case .resync: .init(.resync, [:])
        case .unknown(let kind): .init(kind: kind, fields: [:])
        }
    }
}

// MARK: Fields

extension EventReply {
    /// The name of a field.
    fileprivate struct Key: CodingKey, ExpressibleByStringLiteral {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringLiteral value: String) { stringValue = value }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }

    /// The fields of an event to decode.
    fileprivate struct Fields {
        let container: KeyedDecodingContainer<Key>

        subscript<Value: Decodable>(_ key: Key) -> Value {
            get throws { try container.decode(Value.self, forKey: key) }
        }
    }

    /// The kind of an event and the fields that belong to the kind.
    fileprivate struct Coding {
        let kind: String
        let fields: KeyValuePairs<Key, any Encodable>

        init(kind: String, fields: KeyValuePairs<Key, any Encodable>) {
            self.kind = kind
            self.fields = fields
        }

        init(_ kind: Kind, _ fields: KeyValuePairs<Key, any Encodable>) {
            self.init(kind: kind.rawValue, fields: fields)
        }
    }
}
