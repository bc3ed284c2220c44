public import FoundationEssentials

/// `GET /v1/fleet`: every computer that a broker has told of.
public struct FleetReply: WireValue {
    /// The connection to the broker.
    public var broker: Broker
    /// The computers, by name; the own one is among them.
    public var hosts: [FleetHostReply]

    /// Creates a reply.
    public init(broker: Broker, hosts: [FleetHostReply]) {
        self.broker = broker
        self.hosts = hosts
    }

    /// The connection to the broker.
    public struct Broker: WireValue {
        /// How it is.
        public var state: State
        /// Since when.
        public var since: Date
        /// Why there is none; `nil` while there is one.
        @OrNull public var reason: String?
        /// Events that it does not have yet.
        public var waiting: Int

        /// Creates a value.
        public init(state: State, since: Date, reason: String? = nil, waiting: Int = 0) {
            self.state = state
            self.since = since
            self._reason = OrNull(wrappedValue: reason)
            self.waiting = waiting
        }
    }

    /// How the connection to the broker is.
    public struct State: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// What is told below is as the broker has it.
        public static let connected = Self(rawValue: "connected")
        /// What is told below was so when the connection was lost.
        public static let away = Self(rawValue: "away")

        /// Every word of this build.
        public static let all = [connected, away]
    }
}

/// A computer of the fleet.
public struct FleetHostReply: WireValue {
    /// Its name.
    public var name: FleetHostName
    /// Whether it is this computer.
    public var isSelf: Bool
    /// Whether it is there.
    public var state: State
    /// When the last word of it came here; `nil` for one that has only said that it is gone.
    @OrNull public var heardAt: Date?
    /// What it says of itself; `nil` when it has said nothing yet.
    @OrNull public var status: FleetHostStatus?
    /// Its cameras, by name.
    public var cameras: [FleetCameraStatus]

    /// Creates a reply.
    public init(
        name: FleetHostName, isSelf: Bool, state: State, heardAt: Date?, status: FleetHostStatus?,
        cameras: [FleetCameraStatus]
    ) {
        self.name = name
        self.isSelf = isSelf
        self.state = state
        self._heardAt = OrNull(wrappedValue: heardAt)
        self._status = OrNull(wrappedValue: status)
        self.cameras = cameras
    }

    /// Whether a computer is there.
    public struct State: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// It is there, and its word is fresh.
        public static let online = Self(rawValue: "online")
        /// It said goodbye, or the broker lost it.
        public static let offline = Self(rawValue: "offline")
        /// It says nothing: how it is now is not known.
        public static let silent = Self(rawValue: "silent")

        /// Every word of this build.
        public static let all = [online, offline, silent]
    }
}

/// What a computer says of itself: to the broker, and there for all. At most 2 KB.
public struct FleetHostStatus: WireValue {
    /// Version of the daemon.
    public var version: String
    /// A word that stays while the numbers of its events go on: two computers of one name differ in it.
    public var boot: String
    /// When the daemon was started.
    public var startedAt: Date
    /// When this was said.
    public var at: Date
    /// The number of its last event.
    public var seq: Int64
    /// Name of the running session; `nil` between sessions.
    @OrNull public var sessionName: String?
    /// Cameras that are connected.
    public var camerasReady: Int
    /// Cameras that are known and not ignored.
    public var cameras: Int
    /// Shots ever saved there.
    public var shots: Int
    /// Shots saved there since midnight, by its own clock.
    public var shotsToday: Int
    /// Free bytes where its photos go.
    public var diskFreeBytes: Int64
    /// What its free-space guard says.
    public var diskGuard: DiskReply.Guard
    /// Uploads that are not delivered yet, those that failed among them.
    public var uploadsWaiting: Int
    /// Uploads that were given up.
    public var uploadsFailed: Int
    /// Its clock.
    public var clock: Clock
    /// What is wrong there, the worst first: at most ``conditionsMax``.
    public var conditions: [Trouble]

    /// Conditions that are told to the fleet, at most: all of it has to stay small.
    public static let conditionsMax = 3

    /// Creates a status.
    public init(
        version: String, boot: String, startedAt: Date, at: Date, seq: Int64, sessionName: String?,
        camerasReady: Int, cameras: Int, shots: Int, shotsToday: Int, diskFreeBytes: Int64,
        diskGuard: DiskReply.Guard, uploadsWaiting: Int, uploadsFailed: Int, clock: Clock,
        conditions: [Trouble]
    ) {
        self.version = version
        self.boot = boot
        self.startedAt = startedAt
        self.at = at
        self.seq = seq
        self._sessionName = OrNull(wrappedValue: sessionName)
        self.camerasReady = camerasReady
        self.cameras = cameras
        self.shots = shots
        self.shotsToday = shotsToday
        self.diskFreeBytes = diskFreeBytes
        self.diskGuard = diskGuard
        self.uploadsWaiting = uploadsWaiting
        self.uploadsFailed = uploadsFailed
        self.clock = clock
        self.conditions = conditions
    }

    /// How good a computer's clock is.
    public struct Clock: WireValue {
        /// Whether something keeps it; `nil` where the system does not say.
        @OrNull public var isKept: Bool?
        /// How wrong it may be at most, in milliseconds; `nil` where the system does not say.
        @OrNull public var errorMs: Double?

        /// Creates a value.
        public init(isKept: Bool?, errorMs: Double?) {
            self._isKept = OrNull(wrappedValue: isKept)
            self._errorMs = OrNull(wrappedValue: errorMs)
        }
    }

    /// Something that is wrong, in short.
    public struct Trouble: WireValue {
        /// Stable word for programs, for example `disk-full`.
        public var code: String
        /// How bad it is.
        public var severity: ConditionReply.Severity
        /// What it is about, as people call it; `nil` for the daemon as a whole.
        @OrNull public var name: String?
        /// What is the matter, as a sentence.
        public var sentence: String

        /// Creates a value.
        public init(code: String, severity: ConditionReply.Severity, name: String?, sentence: String) {
            self.code = code
            self.severity = severity
            self._name = OrNull(wrappedValue: name)
            self.sentence = sentence
        }
    }
}

/// What a computer says of one of its cameras, to the broker, and there for all.
public struct FleetCameraStatus: WireValue {
    /// Name of the camera.
    public var name: String
    /// Model as the camera says; `nil` before the first connection.
    @OrNull public var model: String?
    /// What it is doing.
    public var state: CameraReply.State
    /// Groups that it belongs to.
    public var groups: [GroupName]
    /// Battery in percent, 0...100.
    @OrNull public var batteryPercent: Int?
    /// Photos that still fit on the card, by the camera's own count.
    @OrNull public var shotsLeft: Int?
    /// When its last photo was saved.
    @OrNull public var lastSavedAt: Date?

    /// What the document says of its fields.
    public static var fields: [WireField] { [.init(CodingKeys.batteryPercent, range: 0...100)] }

    /// Creates a status.
    public init(
        name: String, model: String?, state: CameraReply.State, groups: [GroupName], batteryPercent: Int?,
        shotsLeft: Int?, lastSavedAt: Date?
    ) {
        self.name = name
        self._model = OrNull(wrappedValue: model)
        self.state = state
        self.groups = groups
        self._batteryPercent = OrNull(wrappedValue: batteryPercent)
        self._shotsLeft = OrNull(wrappedValue: shotsLeft)
        self._lastSavedAt = OrNull(wrappedValue: lastSavedAt)
    }
}

/// `POST /v1/fleet/groups/{id}/shoot`: what every computer with cameras of a group says.
public struct FleetShotReply: WireValue {
    /// The group.
    public var group: GroupName
    /// The moment.
    public var at: Date
    /// How many shutters were released, on all computers.
    public var fired: Int
    /// What each computer says.
    public var hosts: [Host]
    /// Computers with cameras of the group that have said nothing.
    public var silent: [FleetHostName]

    /// Creates a reply.
    public init(group: GroupName, at: Date, fired: Int, hosts: [Host], silent: [FleetHostName]) {
        self.group = group
        self.at = at
        self.fired = fired
        self.hosts = hosts
        self.silent = silent
    }

    /// What one computer says.
    public struct Host: WireValue {
        /// Its name.
        public var name: FleetHostName
        /// What became of the shot there; `nil` when it was refused.
        @OrNull public var shot: GroupShotReply?
        /// Why it was refused; `nil` when it was not.
        @OrNull public var reason: String?

        /// Creates a value.
        public init(name: FleetHostName, shot: GroupShotReply?, reason: String?) {
            self.name = name
            self._shot = OrNull(wrappedValue: shot)
            self._reason = OrNull(wrappedValue: reason)
        }
    }
}
