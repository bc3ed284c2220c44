/// `GET /v1/cameras/{id}/settings`.
public struct SettingsReply: WireValue {
    /// Whose they are.
    public var camera: CameraNameReply
    /// Those that it has of what was asked for.
    public var settings: [SettingReply]

    /// Creates a reply.
    public init(camera: CameraNameReply, settings: [SettingReply]) {
        self.camera = camera
        self.settings = settings
    }
}

/// Which camera an answer is about.
public struct CameraNameReply: WireValue {
    /// Its id.
    public var id: CameraID
    /// What people call it.
    public var name: String

    /// Creates a reply.
    public init(id: CameraID, name: String) {
        self.id = id
        self.name = name
    }
}

/// A setting of a camera as it is now.
public struct SettingReply: WireValue {
    /// Key such as `iso`, the same for all makers; `raw.NAME` for one that only the driver has a name for.
    public var key: String
    /// The driver's name for it.
    public var name: String
    /// Its value in the spelling of the key; `nil` for a word that is not known.
    @OrNull public var value: String?
    /// Its value in the camera's own words.
    public var cameraValue: String
    /// What the camera says that it offers, each as `value` has it: a hint, which some cameras get wrong.
    public var choices: [String]
    /// The same, in the same order, in the camera's own words.
    public var cameraChoices: [String]
    /// Numbers that it takes; `nil` where it takes one of its choices.
    @OrNull public var range: Range?
    /// Whether it can be changed now.
    public var writable: Writable
    /// Whether the camera is known to refuse a change now.
    public var readOnly: Bool

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(
                CodingKeys.key, "The same for all makers; raw.NAME where only the driver has a name for it"),
            .init(CodingKeys.name, "The driver's name"),
            .init(CodingKeys.value, "In the spelling of the key"),
            .init(CodingKeys.cameraValue, "In the camera's own words"),
            .init(CodingKeys.choices, "A hint, which some cameras get wrong"),
        ]
    }

    /// Creates a reply.
    public init(
        key: String, name: String, value: String?, cameraValue: String, choices: [String] = [],
        cameraChoices: [String] = [], range: Range? = nil, writable: Writable
    ) {
        self.key = key
        self.name = name
        self._value = OrNull(wrappedValue: value)
        self.cameraValue = cameraValue
        self.choices = choices
        self.cameraChoices = cameraChoices
        self._range = OrNull(wrappedValue: range)
        self.writable = writable
        readOnly = writable == .no
    }

    /// Numbers that a setting takes.
    public struct Range: WireValue {
        /// The least.
        public var least: Double
        /// The most.
        public var most: Double
        /// Distance between two.
        public var step: Double

        /// Creates a range.
        public init(least: Double, most: Double, step: Double) {
            self.least = least
            self.most = most
            self.step = step
        }
    }

    /// Whether a setting can be changed now.
    public struct Writable: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// It can.
        public static let yes = Self(rawValue: "yes")
        /// Not now: the mode that the camera is in decides.
        public static let no = Self(rawValue: "no")
        /// The camera does not tell.
        public static let unknown = Self(rawValue: "unknown")

        /// Every word of this build.
        public static let all = [yes, no, unknown]
    }
}

/// `PATCH /v1/cameras/{id}/settings`.
public struct SettingsChangeReply: WireValue {
    /// Whose they are.
    public var camera: CameraNameReply
    /// What became of each, in the order in which they were set.
    public var results: [SettingResultReply]

    /// Creates a reply.
    public init(camera: CameraNameReply, results: [SettingResultReply]) {
        self.camera = camera
        self.results = results
    }
}

/// What became of a change.
public struct SettingResultReply: WireValue {
    /// Key such as `iso`, or `raw.NAME`.
    public var key: String
    /// How it ended.
    public var result: Result
    /// What was asked for.
    public var asked: String
    /// What the camera has now, as `SettingReply` has it; `nil` when that is not known.
    @OrNull public var value: String?
    /// The same in the camera's own words.
    @OrNull public var cameraValue: String?
    /// Why; `nil` when it has the very value that was asked for.
    @OrNull public var reason: String?

    /// Creates a reply.
    public init(
        key: String, result: Result, asked: String, value: String? = nil, cameraValue: String? = nil,
        reason: String? = nil
    ) {
        self.key = key
        self.result = result
        self.asked = asked
        self._value = OrNull(wrappedValue: value)
        self._cameraValue = OrNull(wrappedValue: cameraValue)
        self._reason = OrNull(wrappedValue: reason)
    }

    /// Whether the camera has what was asked for, or would have.
    public var isDone: Bool { [.set, .unchanged, .trial].contains(result) }

    /// How a change ended.
    public struct Result: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The camera says that it has this value now, or the nearest one that it offers if the request takes that.
        public static let set = Self(rawValue: "set")
        /// It had this value already, or the nearest one that it offers if the request takes that.
        public static let unchanged = Self(rawValue: "unchanged")
        /// It took another value than the one that was asked for.
        public static let adjusted = Self(rawValue: "adjusted")
        /// It said yes, and has another value still.
        public static let ignored = Self(rawValue: "ignored")
        /// It did not say in time what it has now.
        public static let unconfirmed = Self(rawValue: "unconfirmed")
        /// It said no.
        public static let refused = Self(rawValue: "refused")
        /// It had something else to do.
        public static let busy = Self(rawValue: "busy")
        /// It cannot be changed in the mode that the camera is in.
        public static let readOnly = Self(rawValue: "read-only")
        /// The camera has no such setting, or no such value.
        public static let unsupported = Self(rawValue: "unsupported")
        /// Not tried, because something before it did not succeed.
        public static let skipped = Self(rawValue: "skipped")
        /// It would be set: nothing was changed.
        public static let trial = Self(rawValue: "trial")

        /// Every word of this build.
        public static let all = [
            set, unchanged, adjusted, ignored, unconfirmed, refused, busy, readOnly, unsupported, skipped,
            trial,
        ]
    }
}
