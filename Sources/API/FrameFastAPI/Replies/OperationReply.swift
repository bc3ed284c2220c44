public import FoundationEssentials

/// The running or the last long-running operation of a camera.
public struct OperationReply: WireValue {
    /// The kind of an operation.
    public typealias Kind = OperationKind

    /// The state of an operation.
    public typealias State = OperationState

    /// The kind of operation.
    @Word public var kind: Kind?
    /// The current state.
    @Word public var state: State?
    /// The number of photos taken.
    public var done: Int
    /// The number of photos to take, or `nil` if this number is not fixed.
    @OrNull public var total: Int?
    /// The duration so far, in milliseconds. For bulb, how long the shutter was open.
    public var elapsedMs: Int
    /// The time of the next photo of an interval, or `nil` if no photo is due.
    @OrNull public var nextAt: Date?
    /// The reason why the operation stopped, failed, or ended without carrying out the whole request. `nil`
    /// in all other cases.
    @OrNull public var reason: String?

    /// Creates a reply.
    public init(
        kind: Kind, state: State, done: Int = 0, total: Int? = nil, elapsedMs: Int = 0,
        nextAt: Date? = nil, reason: String? = nil
    ) {
        self._kind = Word(kind)
        self._state = Word(state)
        self.done = done
        self._total = OrNull(wrappedValue: total)
        self.elapsedMs = elapsedMs
        self._nextAt = OrNull(wrappedValue: nextAt)
        self._reason = OrNull(wrappedValue: reason)
    }
}

/// The reply to requests that start or stop an operation.
public struct CameraOperationReply: WireValue {
    /// The camera.
    public var camera: CameraNameReply
    /// The operation, or `nil` if the camera has none.
    @OrNull public var operation: OperationReply?

    /// Creates a reply.
    public init(camera: CameraNameReply, operation: OperationReply?) {
        self.camera = camera
        self._operation = OrNull(wrappedValue: operation)
    }
}

/// `GET /v1/cameras/{id}/interval`: the running or the last interval of a camera.
public struct IntervalReply: WireValue {
    /// A range of consecutive photos, by their numbers from 1.
    public struct Photos: WireValue {
        /// The number of the first photo.
        public var first: Int
        /// The number of the last photo.
        public var last: Int

        /// Creates a range.
        public init(first: Int, last: Int) {
            self.first = first
            self.last = last
        }
    }

    /// The setting changes of the ramp that failed.
    public struct FailedSettings: WireValue {
        /// The number of failed changes. A change that fails again after an interruption counts again.
        public var count: Int
        /// The number, from 1, of the photo whose settings contain the first failed change.
        public var photo: Int
        /// The key of the first failed change, such as `iso`, or `raw.NAME`.
        public var key: String
        /// The requested value of the first failed change.
        public var asked: String
        /// The reason why the first change failed, as a text for people.
        public var reason: String

        /// Creates a value.
        public init(count: Int, photo: Int, key: String, asked: String, reason: String) {
            self.count = count
            self.photo = photo
            self.key = key
            self.asked = asked
            self.reason = reason
        }
    }

    /// The camera.
    public var camera: CameraNameReply
    /// The current state.
    @Word public var state: OperationReply.State?
    /// The time between two photos, in milliseconds.
    public var everyMs: Int
    /// The number of photos to take.
    public var count: Int
    /// The number of photos whose time has passed.
    public var past: Int
    /// The number of photos for which the shutter was released.
    public var shot: Int
    /// The photos that were missed, because the daemon did not run, or the camera was disconnected or busy.
    public var missed: [Photos]
    /// The photos that the camera refused.
    public var refused: [Photos]
    /// The largest delay of a release, in milliseconds.
    public var latestMs: Double
    /// The setting changes of the ramp that failed so far, or `nil` if none failed.
    @OrNull public var failedSettings: FailedSettings?
    /// The reason why the interval stopped or failed, or the missing photos and failed setting changes at its
    /// end. `nil` in all other cases.
    @OrNull public var reason: String?

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(
                CodingKeys.failedSettings,
                "Setting changes of the ramp that failed so far: their number, and the first of them with the reason"
            ),
            .init(
                CodingKeys.reason,
                "Why the interval stopped or failed, or what is missing at its end: photos and setting changes"
            ),
        ]
    }

    /// Creates a reply.
    public init(
        camera: CameraNameReply, state: OperationReply.State, everyMs: Int, count: Int, past: Int, shot: Int,
        missed: [Photos], refused: [Photos], latestMs: Double, failedSettings: FailedSettings? = nil,
        reason: String?
    ) {
        self.camera = camera
        self._state = Word(state)
        self.everyMs = everyMs
        self.count = count
        self.past = past
        self.shot = shot
        self.missed = missed
        self.refused = refused
        self.latestMs = latestMs
        self._failedSettings = OrNull(wrappedValue: failedSettings)
        self._reason = OrNull(wrappedValue: reason)
    }
}
