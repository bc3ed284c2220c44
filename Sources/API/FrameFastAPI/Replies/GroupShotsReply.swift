public import FoundationEssentials

/// Which shots of a group to list.
public struct GroupShotsQuery: WireRequest {
    /// Most shots that are listed: with a hundred cameras some megabyte of JSON.
    public static let limitMax = 100
    /// Shots that are listed when nothing is said.
    public static let limitDefault = 10

    /// Shots that are listed, 1...``limitMax``.
    public var limit: Int

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [.init(CodingKeys.limit, range: 1...Int64(limitMax), standard: limitDefault)]
    }

    /// Creates a query.
    public init(limit: Int = GroupShotsQuery.limitDefault) { self.limit = limit }
}

/// `GET /v1/groups/{id}/shots`, newest first.
public struct GroupShotsReply: WireValue {
    /// The shots.
    public var shots: [Shot]

    /// Creates a reply.
    public init(shots: [Shot]) { self.shots = shots }

    /// A shot of a group.
    public struct Shot: WireValue {
        /// Its number.
        public var shot: GroupShotID
        /// The moment.
        public var at: Date
        /// What each camera has of it, in the order of the configuration.
        public var frames: [Frame]

        /// Creates a value.
        public init(shot: GroupShotID, at: Date, frames: [Frame]) {
            self.shot = shot
            self.at = at
            self.frames = frames
        }
    }

    /// What one camera has of a shot.
    public struct Frame: WireValue {
        /// Name of the camera, when it was taken.
        public var camera: CameraReference
        /// Number of the photo, that of the first file of a pair; `nil` while there is none.
        @OrNull public var capture: CaptureID?
        /// Why there is none, in words for a person; `nil` when there is one, or none is missed yet.
        @OrNull public var reason: String?

        /// Creates a value.
        public init(camera: CameraReference, capture: CaptureID? = nil, reason: String? = nil) {
            self.camera = camera
            self._capture = OrNull(wrappedValue: capture)
            self._reason = OrNull(wrappedValue: reason)
        }
    }
}

/// `GET /v1/groups/{id}/check`.
public struct GroupCheckReply: WireValue {
    /// How many cameras are compared: those that are ready.
    public var compared: Int
    /// Cameras that differ from most of the others, or need something.
    public var odd: [Odd]

    /// Creates a reply.
    public init(compared: Int, odd: [Odd]) {
        self.compared = compared
        self.odd = odd
    }

    /// A camera that differs in something.
    public struct Odd: WireValue {
        /// Name of the camera.
        public var camera: CameraReference
        /// What it is that differs.
        public var what: What
        /// What it has.
        public var value: String
        /// What most of the others have; `nil` where it is not compared.
        @OrNull public var others: String?

        /// Creates a value.
        public init(camera: CameraReference, what: What, value: String, others: String? = nil) {
            self.camera = camera
            self.what = what
            self.value = value
            self._others = OrNull(wrappedValue: others)
        }
    }

    /// What is compared.
    public struct What: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// It is not connected, or not ready.
        public static let away = Self(rawValue: "away")
        /// Shots in the running session.
        public static let shots = Self(rawValue: "shots")
        /// How far its clock is from this computer's.
        public static let clock = Self(rawValue: "clock")
        /// How much its battery has left.
        public static let battery = Self(rawValue: "battery")
        /// How many shots its card has room for.
        public static let room = Self(rawValue: "room")
        /// Its model.
        public static let model = Self(rawValue: "model")
        /// Its firmware.
        public static let firmware = Self(rawValue: "firmware")
        /// Exposure, ISO, white balance and quality.
        public static let settings = Self(rawValue: "settings")

        /// Every word of this build.
        public static let all = [away, shots, clock, battery, room, model, firmware, settings]
    }
}
