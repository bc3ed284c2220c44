public import FoundationEssentials

/// `GET /v1/groups`.
public struct GroupsReply: WireValue {
    /// The groups, in the order of the configuration.
    public var groups: [GroupReply]

    /// Creates a reply.
    public init(groups: [GroupReply]) { self.groups = groups }
}

/// A group of cameras.
public struct GroupReply: WireValue {
    /// The name of the group.
    public var name: GroupName
    /// The cameras, with their names in the configuration.
    public var cameras: [CameraReference]
    /// The cameras that are not connected.
    public var away: [CameraReference]

    /// Creates a reply.
    public init(name: GroupName, cameras: [CameraReference], away: [CameraReference]) {
        self.name = name
        self.cameras = cameras
        self.away = away
    }
}

/// The result of `POST /v1/groups/{id}/shoot`.
public struct GroupShotReply: WireValue {
    /// The group.
    public var group: GroupName
    /// The time of the photo.
    public var at: Date
    /// The number of shutters released.
    public var fired: Int
    /// The time between the first and the last release command, in milliseconds, or `nil` for fewer than two
    /// cameras.
    @OrNull public var spreadMs: Double?
    /// The time between the first and the last response of a camera, in milliseconds, or `nil` for fewer than
    /// two cameras.
    @OrNull public var answersSpreadMs: Double?
    /// The cameras whose shutters were released.
    public var cameras: [Fired]
    /// The cameras that took no photo, with the reason.
    public var missing: [MissingCamera]

    /// Creates a reply.
    public init(
        group: GroupName, at: Date, fired: Int, spreadMs: Double?, answersSpreadMs: Double?,
        cameras: [Fired], missing: [MissingCamera]
    ) {
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
        /// The name of the camera.
        public var name: String
        /// The delay of the release command after its planned time, in milliseconds.
        public var latenessMs: Double
        /// The time from the release command to the camera's response, in milliseconds.
        public var answerMs: Double

        /// Creates a value.
        public init(name: String, latenessMs: Double, answerMs: Double) {
            self.name = name
            self.latenessMs = latenessMs
            self.answerMs = answerMs
        }
    }
}

/// A camera of a group that did not take part.
public struct MissingCamera: WireValue {
    /// The name of the camera.
    public var name: String
    /// The reason, as a text for people.
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
    /// The cameras that have or had an interval.
    public var cameras: [IntervalReply]
    /// The cameras of the group without an interval, with the reason.
    public var missing: [MissingCamera]

    /// Creates a reply.
    public init(group: GroupName, cameras: [IntervalReply], missing: [MissingCamera]) {
        self.group = group
        self.cameras = cameras
        self.missing = missing
    }
}

/// The result of `POST /v1/groups/{id}/stop`.
public struct GroupOperationsReply: WireValue {
    /// The group.
    public var group: GroupName
    /// The cameras that received the command, with their operations.
    public var cameras: [CameraOperationReply]
    /// The cameras that did not receive the command, with the reason.
    public var missing: [MissingCamera]

    /// Creates a reply.
    public init(group: GroupName, cameras: [CameraOperationReply], missing: [MissingCamera]) {
        self.group = group
        self.cameras = cameras
        self.missing = missing
    }
}
