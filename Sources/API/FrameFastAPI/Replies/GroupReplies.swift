public import FoundationEssentials

/// `GET /v1/groups`.
public struct GroupsReply: WireValue {
    /// The groups, in the order of the configuration.
    public var groups: [GroupReply]

    /// Creates a reply.
    public init(groups: [GroupReply]) { self.groups = groups }
}

/// Cameras that take photos together.
public struct GroupReply: WireValue {
    /// Its name.
    public var name: GroupName
    /// Its cameras, as the configuration names them.
    public var cameras: [CameraReference]
    /// Those of them that are not connected.
    public var away: [CameraReference]

    /// Creates a reply.
    public init(name: GroupName, cameras: [CameraReference], away: [CameraReference]) {
        self.name = name
        self.cameras = cameras
        self.away = away
    }
}

/// `POST /v1/groups/{id}/shoot`.
public struct GroupShootRequest: WireRequest {
    /// How far ahead the moment may be, in milliseconds: a busy camera needs some time to be ready for it, and nobody waits
    /// for more than a minute.
    public static let inRangeMs = 300...60_000
    /// How far ahead it is when nothing is said, in milliseconds.
    public static let inUsualMs = 500
    /// How long a client waits for the answer, in seconds.
    static let patienceSeconds = 75

    /// When the shutters are released, in milliseconds from now; ``inUsualMs`` when left out.
    public var inMs: Int?
    /// The fewest cameras that must be ready, or no shutter is released; 1 when left out.
    public var require: Int?
    /// Whether all of them must be.
    public var requireAll: Bool?

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(
                CodingKeys.inMs, range: Int64(inRangeMs.lowerBound)...Int64(inRangeMs.upperBound),
                standard: inUsualMs)
        ]
    }

    /// Creates a request.
    public init(inMs: Int? = nil, require: Int? = nil, requireAll: Bool? = nil) {
        self.inMs = inMs
        self.require = require
        self.requireAll = requireAll
    }

    /// The request, when it is within bounds.
    public func checked() throws(ControlError) -> Self {
        guard inMs.map(Self.inRangeMs.contains) ?? true else {
            throw ControlError(
                .invalid, "cannot release shutters in \(inMs ?? 0) ms",
                nextStep: "Give a time from \(Self.inRangeMs.lowerBound) ms to a minute.")
        }
        guard require.map({ $0 >= 1 }) ?? true else {
            throw ControlError(
                .invalid, "cannot require \(require ?? 0) cameras", nextStep: "Require 1 or more, or all.")
        }
        return self
    }
}

/// What became of a shot of a group.
public struct GroupShotReply: WireValue {
    /// Its number: the photos of the shot have it, too.
    public var shot: GroupShotID
    /// The group.
    public var group: GroupName
    /// The moment.
    public var at: Date
    /// How many shutters were released.
    public var fired: Int
    /// Time between the first and the last order, in milliseconds; `nil` for fewer than two.
    @OrNull public var spreadMs: Double?
    /// The same between the first and the last answer of a camera.
    @OrNull public var answersSpreadMs: Double?
    /// Cameras whose shutters were released.
    public var cameras: [Fired]
    /// Cameras that took no photo, and why.
    public var missing: [MissingCamera]

    /// Creates a reply.
    public init(
        shot: GroupShotID, group: GroupName, at: Date, fired: Int, spreadMs: Double?,
        answersSpreadMs: Double?, cameras: [Fired],
        missing: [MissingCamera]
    ) {
        self.shot = shot
        self.group = group
        self.at = at
        self.fired = fired
        self._spreadMs = OrNull(wrappedValue: spreadMs)
        self._answersSpreadMs = OrNull(wrappedValue: answersSpreadMs)
        self.cameras = cameras
        self.missing = missing
    }

    /// A camera whose shutter was released.
    public struct Fired: WireValue {
        /// Name of the camera.
        public var name: String
        /// How long after the moment the order left, in milliseconds.
        public var latenessMs: Double
        /// How long the camera took to answer it, in milliseconds.
        public var answerMs: Double

        /// Creates a value.
        public init(name: String, latenessMs: Double, answerMs: Double) {
            self.name = name
            self.latenessMs = latenessMs
            self.answerMs = answerMs
        }
    }
}

/// A camera of a group that took no part.
public struct MissingCamera: WireValue {
    /// Name of the camera.
    public var name: String
    /// Why, in words for a person.
    public var reason: String

    /// Creates a value.
    public init(name: String, reason: String) {
        self.name = name
        self.reason = reason
    }
}

/// `GET /v1/groups/{id}/interval`: the intervals of a group's cameras.
public struct GroupIntervalReply: WireValue {
    /// The group.
    public var group: GroupName
    /// Cameras that have an interval, or had one.
    public var cameras: [IntervalReply]
    /// The others, and why.
    public var missing: [MissingCamera]

    /// Creates a reply.
    public init(group: GroupName, cameras: [IntervalReply], missing: [MissingCamera]) {
        self.group = group
        self.cameras = cameras
        self.missing = missing
    }
}

/// `POST /v1/groups/{id}/stop`: what the cameras of a group do.
public struct GroupOperationsReply: WireValue {
    /// The group.
    public var group: GroupName
    /// Cameras that were told.
    public var cameras: [CameraOperationReply]
    /// The others, and why.
    public var missing: [MissingCamera]

    /// Creates a reply.
    public init(group: GroupName, cameras: [CameraOperationReply], missing: [MissingCamera]) {
        self.group = group
        self.cameras = cameras
        self.missing = missing
    }
}
