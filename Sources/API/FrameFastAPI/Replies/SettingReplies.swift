/// `GET /v1/cameras/{id}/settings`.
public struct SettingsReply: WireValue {
    /// The camera.
    public var camera: CameraNameReply
    /// The requested settings that the camera has.
    public var settings: [SettingReply]

    /// Creates a reply.
    public init(camera: CameraNameReply, settings: [SettingReply]) {
        self.camera = camera
        self.settings = settings
    }
}

/// The camera that a reply is about.
public struct CameraNameReply: WireValue {
    /// The id of the camera.
    public var id: CameraID
    /// The name that people use.
    public var name: String

    /// Creates a reply.
    public init(id: CameraID, name: String) {
        self.id = id
        self.name = name
    }
}

/// A camera setting and its current value.
public struct SettingReply: WireValue {
    /// The key, such as `iso`, which is the same for all makers, or `raw.NAME` for a setting that only the
    /// driver names.
    public var key: String
    /// The driver's name.
    public var name: String
    /// The value in the spelling of the key, or `nil` if the camera's value is not known.
    @OrNull public var value: String?
    /// The value in the camera's own words.
    public var cameraValue: String
    /// The values that the camera claims to offer, in the spelling of `value`. Some cameras report wrong
    /// values.
    public var choices: [String]
    /// The same values in the same order, in the camera's own words.
    public var cameraChoices: [String]
    /// The numbers that the setting accepts, or `nil` if it accepts only its choices.
    @OrNull public var range: Range?
    /// Whether the setting can be changed now.
    public var writable: Writable
    /// Whether the camera is known to refuse a change now.
    public var readOnly: Bool

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(
                CodingKeys.key, "The same for all makers; raw.NAME for a setting that only the driver names"),
            .init(CodingKeys.name, "The driver's name"),
            .init(CodingKeys.value, "In the key's notation"),
            .init(CodingKeys.cameraValue, "In the camera's own words"),
            .init(CodingKeys.choices, "A hint; some cameras report it incorrectly"),
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

    /// The numbers that a setting accepts.
    public struct Range: WireValue {
        /// The smallest number.
        public var least: Double
        /// The largest number.
        public var most: Double
        /// The step between two numbers.
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
        /// The word on the wire.
        public let rawValue: String
        /// Creates a word, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The setting can be changed.
        public static let yes = Self(rawValue: "yes")
        /// The setting cannot be changed in the camera's current mode.
        public static let no = Self(rawValue: "no")
        /// The camera does not report it.
        public static let unknown = Self(rawValue: "unknown")

        /// All words that this build knows.
        public static let all = [yes, no, unknown]
    }
}

/// `PATCH /v1/cameras/{id}/settings`.
public struct SettingsChangeReply: WireValue {
    /// The camera.
    public var camera: CameraNameReply
    /// The results, in the order in which the settings were changed.
    public var results: [SettingResultReply]

    /// Creates a reply.
    public init(camera: CameraNameReply, results: [SettingResultReply]) {
        self.camera = camera
        self.results = results
    }
}

/// The result of a change of a setting.
public struct SettingResultReply: WireValue {
    /// The key, such as `iso`, or `raw.NAME`.
    public var key: String
    /// The outcome.
    public var result: Result
    /// The requested value.
    public var asked: String
    /// The camera's value now, in the spelling of the key, or `nil` if it is not known.
    @OrNull public var value: String?
    /// The camera's value now, in its own words, or `nil` if it is not known.
    @OrNull public var cameraValue: String?
    /// The reason, or `nil` if the camera has exactly the requested value.
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

    /// Whether the camera has the requested value, or would have it after a real run.
    public var isDone: Bool { [.set, .unchanged, .trial].contains(result) }

    /// The outcome of a change.
    public struct Result: WireWord {
        /// The word on the wire.
        public let rawValue: String
        /// Creates a word, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The camera reports the requested value, or the nearest offered value if the request allows it.
        public static let set = Self(rawValue: "set")
        /// The camera already had the requested value, or the nearest offered value if the request allows it.
        public static let unchanged = Self(rawValue: "unchanged")
        /// The camera chose a value other than the requested one.
        public static let adjusted = Self(rawValue: "adjusted")
        /// The camera accepted the change but still has another value.
        public static let ignored = Self(rawValue: "ignored")
        /// The camera did not report its value before the timeout.
        public static let unconfirmed = Self(rawValue: "unconfirmed")
        /// The camera refused the change.
        public static let refused = Self(rawValue: "refused")
        /// The camera was busy.
        public static let busy = Self(rawValue: "busy")
        /// The setting cannot be changed in the camera's current mode.
        public static let readOnly = Self(rawValue: "read-only")
        /// The camera does not have the setting or the value.
        public static let unsupported = Self(rawValue: "unsupported")
        /// The change was not tried, because an earlier change failed.
        public static let skipped = Self(rawValue: "skipped")
        /// The change would be made. Nothing was changed.
        public static let trial = Self(rawValue: "trial")

        /// All words that this build knows.
        public static let all = [
            set, unchanged, adjusted, ignored, unconfirmed, refused, busy, readOnly, unsupported, skipped,
            trial,
        ]
    }
}
