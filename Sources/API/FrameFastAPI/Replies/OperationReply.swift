public import FoundationEssentials

/// What a camera does for longer than a moment, or did last.
public struct OperationReply: WireValue {
    /// What it is.
    public struct Kind: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The shutter is held open.
        public static let bulb = Self(rawValue: "bulb")
        /// Photos at even distances.
        public static let interval = Self(rawValue: "interval")
        /// Photos at several exposures.
        public static let bracket = Self(rawValue: "bracket")
        /// Photos at several places of the focus.
        public static let focusStack = Self(rawValue: "focus-stack")
        /// A movie.
        public static let movie = Self(rawValue: "movie")
        /// One photo at a given time, together with the other cameras of a group.
        public static let release = Self(rawValue: "release")
        /// Frames are shown.
        public static let liveView = Self(rawValue: "live-view")
        /// Every word of this build.
        public static let all = [bulb, interval, bracket, focusStack, movie, release, liveView]
    }

    /// Where it stands.
    public struct State: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// It goes on.
        public static let running = Self(rawValue: "running")
        /// It did all that it was to do.
        public static let ended = Self(rawValue: "ended")
        /// Somebody ended it, or something that goes first.
        public static let stopped = Self(rawValue: "stopped")
        /// It cannot go on.
        public static let failed = Self(rawValue: "failed")
        /// Every word of this build.
        public static let all = [running, ended, stopped, failed]
    }

    /// What it is.
    public var kind: Kind
    /// Where it stands.
    public var state: State
    /// Photos that were taken.
    public var done: Int
    /// Photos to take in all; `nil` without a number.
    @OrNull public var total: Int?
    /// For how long it has run, in milliseconds: of a bulb how long the shutter was open.
    public var elapsedMs: Int
    /// The time of the next photo of an interval, or `nil` if no photo is due.
    @OrNull public var nextAt: Date?
    /// Why it stopped or failed; `nil` while it runs, and when it did all.
    @OrNull public var reason: String?

    /// Creates a reply.
    public init(
        kind: Kind, state: State, done: Int = 0, total: Int? = nil, elapsedMs: Int = 0,
        nextAt: Date? = nil, reason: String? = nil
    ) {
        self.kind = kind
        self.state = state
        self.done = done
        self._total = OrNull(wrappedValue: total)
        self.elapsedMs = elapsedMs
        self._nextAt = OrNull(wrappedValue: nextAt)
        self._reason = OrNull(wrappedValue: reason)
    }
}

/// Answer to what begins or ends something on a camera.
public struct CameraOperationReply: WireValue {
    /// Which camera.
    public var camera: CameraNameReply
    /// What it does; `nil` when nothing.
    @OrNull public var operation: OperationReply?

    /// Creates a reply.
    public init(camera: CameraNameReply, operation: OperationReply?) {
        self.camera = camera
        self._operation = OrNull(wrappedValue: operation)
    }
}

/// `GET /v1/cameras/{id}/interval`: the interval of a camera, the last one when none runs.
public struct IntervalReply: WireValue {
    /// Photos that follow each other, by their numbers from 1.
    public struct Photos: WireValue {
        /// The first.
        public var first: Int
        /// The last.
        public var last: Int

        /// Creates a range.
        public init(first: Int, last: Int) {
            self.first = first
            self.last = last
        }
    }

    /// Which camera.
    public var camera: CameraNameReply
    /// Where it stands.
    public var state: OperationReply.State
    /// Distance of two photos, in milliseconds.
    public var everyMs: Int
    /// Photos to take in all.
    public var count: Int
    /// Those whose time has come.
    public var past: Int
    /// Those for which the shutter was released.
    public var shot: Int
    /// Those whose time went by: while the service or the camera was away, or the camera was busy.
    public var missed: [Photos]
    /// Those that the camera refused.
    public var refused: [Photos]
    /// How late the latest release was, in milliseconds.
    public var latestMs: Double
    /// Why it stopped or failed, or how many photos are missing at its end; `nil` else.
    @OrNull public var reason: String?

    /// Creates a reply.
    public init(
        camera: CameraNameReply, state: OperationReply.State, everyMs: Int, count: Int, past: Int, shot: Int,
        missed: [Photos], refused: [Photos], latestMs: Double, reason: String?
    ) {
        self.camera = camera
        self.state = state
        self.everyMs = everyMs
        self.count = count
        self.past = past
        self.shot = shot
        self.missed = missed
        self.refused = refused
        self.latestMs = latestMs
        self._reason = OrNull(wrappedValue: reason)
    }
}
