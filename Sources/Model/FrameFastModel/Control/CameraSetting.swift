/// The source of a setting's new value.
public enum SettingSource: String, Codable, Hashable, Sendable {
    /// The camera: a dial or button of the body, or an automatic choice.
    case camera
    /// A request to the service.
    case request
}

/// The current state of a camera setting.
public struct CameraSetting: Codable, Hashable, Sendable {
    /// Whether the setting can be changed.
    public enum Writable: String, Codable, Hashable, Sendable {
        case yes
        /// The camera's current mode makes it read-only.
        case no
        /// The camera does not report it.
        case unknown
    }

    /// A value that the camera offers.
    public struct Choice: Codable, Hashable, Sendable {
        /// The value in FrameFast's spelling, or `nil` for a word without a translation.
        public var value: CameraSettingValue?
        /// The value in the driver's spelling.
        public var word: String

        /// Creates a choice.
        public init(value: CameraSettingValue?, word: String) {
            self.value = value
            self.word = word
        }
    }

    /// A range of numbers that the camera offers.
    public struct Range: Codable, Hashable, Sendable {
        /// The smallest number.
        public var least: Double
        /// The largest number.
        public var most: Double
        /// The difference between two neighbouring numbers.
        public var step: Double

        /// Creates a range.
        public init(least: Double, most: Double, step: Double) {
            self.least = least
            self.most = most
            self.step = step
        }
    }

    /// The key, or `nil` for a setting that only the driver names.
    public var key: CameraSettingKey?
    /// The driver's name, which is also accepted in a change.
    public var name: String
    /// The value in FrameFast's spelling, or `nil` for a word without a translation.
    public var value: CameraSettingValue?
    /// The value in the driver's spelling.
    public var word: String
    /// The values that the camera offers. Some cameras report wrong ones, so this is only a hint. Empty for a
    /// text or a number.
    public var choices: [Choice]
    /// The range of numbers that the camera offers, or `nil` for a setting that is not a free number.
    public var range: Range?
    /// Whether the setting can be changed now.
    public var writable: Writable

    /// Creates a setting.
    public init(
        key: CameraSettingKey?, name: String, value: CameraSettingValue?, word: String,
        choices: [Choice] = [],
        range: Range? = nil, writable: Writable
    ) {
        self.key = key
        self.name = name
        self.value = value
        self.word = word
        self.choices = choices
        self.range = range
        self.writable = writable
    }
}

/// A requested change of a setting.
public struct CameraSettingChange: Codable, Hashable, Sendable {
    /// A ``CameraSettingKey``, or the driver's own name for a setting.
    public var name: String
    /// The value, in FrameFast's spelling for a key, or in the driver's for a driver's name.
    public var value: String

    /// Creates a change.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// The key, or `nil` for a driver's name.
    public var key: CameraSettingKey? { CameraSettingKey(rawValue: name) }
}

/// A group of changes to apply together.
public struct CameraSettingsOrder: Codable, Hashable, Sendable {
    /// The changes. If the camera refuses the mode, the rest is skipped, because it depends on the mode.
    public var changes: [CameraSettingChange]
    /// Whether the nearest available value is acceptable.
    public var takesNearest: Bool
    /// Whether the worker only reports what it would set.
    public var isTrial: Bool

    /// Creates an order.
    public init(_ changes: [CameraSettingChange], takesNearest: Bool = false, isTrial: Bool = false) {
        self.changes = changes
        self.takesNearest = takesNearest
        self.isTrial = isTrial
    }
}

/// The result of a change.
public struct CameraSettingResult: Codable, Hashable, Sendable {
    /// The outcome of a change. The camera confirmed the value only for ``set``, ``unchanged`` and
    /// ``adjusted``.
    public enum Outcome: String, Codable, CaseIterable, Hashable, Sendable {
        /// The camera confirmed the value, or the nearest one that it offers if the order allows that.
        case set
        /// The camera already had the value. Nothing was sent.
        case unchanged
        /// The camera set another value than the one that was sent.
        case adjusted
        /// The camera accepted the value but kept another one.
        case ignored
        /// The camera did not report its value in time.
        case unconfirmed
        /// The camera refused.
        case refused
        /// The camera was busy for longer than the worker waits.
        case busy
        /// The setting is read-only in the camera's current mode.
        case readOnly = "read-only"
        /// The camera does not have the setting or the value.
        case unsupported
        /// Not tried, because an earlier change failed.
        case skipped
        /// The value would be set. Nothing was changed.
        case trial
    }

    /// The requested change.
    public var change: CameraSettingChange
    /// The outcome.
    public var outcome: Outcome
    /// The setting after the change, or `nil` if unknown.
    public var now: CameraSetting?
    /// The reason, for people, or `nil` if the camera has exactly the requested value.
    public var reason: String?

    /// Creates a result.
    public init(
        _ change: CameraSettingChange, _ outcome: Outcome, now: CameraSetting? = nil, reason: String? = nil
    ) {
        self.change = change
        self.outcome = outcome
        self.now = now
        self.reason = reason
    }
}
