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
    /// The key, such as `iso`. Keys are the same for all makers. A setting without such a key has the key
    /// `raw.NAME` with its driver name.
    public var key: String
    /// The name of the setting in the driver.
    public var name: String
    /// The value in the notation of the key, or `nil` if the camera's value is not known.
    @OrNull public var value: String?
    /// The value in the camera's own notation.
    public var cameraValue: String
    /// The values that the camera claims to offer, in the notation of `value`. Some cameras report wrong
    /// values.
    public var choices: [String]
    /// The values of `choices` in the same order, in the camera's own notation.
    public var cameraChoices: [String]
    /// The numbers that the setting accepts, or `nil` if it accepts only its choices.
    @OrNull public var range: Range?
    /// Whether the setting can be changed now.
    @Word public var writable: Writable?
    /// Whether the camera is known to refuse a change now.
    public var readOnly: Bool

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(
                CodingKeys.key,
                "The same for all makers, or raw.NAME for a setting that has only the driver's name"),
            .init(CodingKeys.name, "The driver's name"),
            .init(CodingKeys.value, "Value in the key's notation"),
            .init(CodingKeys.cameraValue, "Value in the camera's own notation"),
            .init(
                CodingKeys.choices,
                "The values that the camera claims to offer. Some cameras report wrong values"),
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
        self._writable = Word(writable)
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
    public typealias Writable = SettingWritability
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
    @Word public var result: Result?
    /// The requested value.
    public var asked: String
    /// The camera's current value, in the notation of the key, or `nil` if it is not known.
    @OrNull public var value: String?
    /// The current value in the camera's own notation, or `nil` if it is not known.
    @OrNull public var cameraValue: String?
    /// The reason, or `nil` if the camera has exactly the requested value.
    @OrNull public var reason: String?

    /// Creates a reply.
    public init(
        key: String, result: Result, asked: String, value: String? = nil, cameraValue: String? = nil,
        reason: String? = nil
    ) {
        self.key = key
        self._result = Word(result)
        self.asked = asked
        self._value = OrNull(wrappedValue: value)
        self._cameraValue = OrNull(wrappedValue: cameraValue)
        self._reason = OrNull(wrappedValue: reason)
    }

    /// Whether the camera has the requested value, or would have it without a dry run.
    public var isDone: Bool { [.set, .unchanged, .trial].contains(result) }

    /// The outcome of a change.
    public typealias Result = SettingOutcome
}
