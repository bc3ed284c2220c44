/// The current state of a camera setting.
public struct CameraSetting: Codable, Hashable, Sendable {
    /// Whether the setting can be changed.
    public typealias Writable = SettingWritability

    /// A value that the camera offers.
    public struct Choice: Codable, Hashable, Sendable {
        /// The value in FrameFast's format, or `nil` if the driver's value has no translation.
        public var value: CameraSettingValue?
        /// The driver's value.
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
        /// The difference between two adjacent numbers.
        public var step: Double

        /// Creates a range.
        public init(least: Double, most: Double, step: Double) {
            self.least = least
            self.most = most
            self.step = step
        }
    }

    /// The key, or `nil` for a setting without a key in FrameFast.
    public var key: CameraSettingKey?
    /// The driver's name for the setting. ``CameraSettingChange/name`` accepts this name or the key.
    public var name: String
    /// The value in FrameFast's format, or `nil` if the driver's value has no translation.
    public var value: CameraSettingValue?
    /// The driver's value.
    public var word: String
    /// The values that the camera offers. Some cameras report wrong values. Empty for a setting whose value
    /// is a text or a number.
    public var choices: [Choice]
    /// The range of numbers that the camera offers, or `nil` for a setting without a range.
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
    /// The raw value of a ``CameraSettingKey``, or the driver's name for a setting.
    public var name: String
    /// The value. If ``name`` is a key, the value has FrameFast's format. If ``name`` is a driver's name, the
    /// value has the driver's format.
    public var value: String

    /// Creates a change.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// The key, or `nil` for a driver's name.
    public var key: CameraSettingKey? { CameraSettingKey(rawValue: name) }
}

/// A request for a group of changes.
public struct CameraSettingsCommand: Codable, Hashable, Sendable {
    /// The changes. If the camera refuses the exposure mode, the worker skips the other changes, because they
    /// depend on the mode.
    public var changes: [CameraSettingChange]
    /// Whether the worker may set the nearest value if the camera does not offer the requested value.
    public var takesNearest: Bool
    /// Whether the worker only reports the values that it would set.
    public var isTrial: Bool
    /// Whether the service requests the changes on its own, for example when a camera connects. If the driver
    /// crashes during an automatic change, the worker skips that change in later connections. Otherwise, the
    /// driver would crash in every connection.
    public var isAutomatic: Bool

    /// Creates a request.
    public init(
        _ changes: [CameraSettingChange], takesNearest: Bool = false, isTrial: Bool = false,
        isAutomatic: Bool = false
    ) {
        self.changes = changes
        self.takesNearest = takesNearest
        self.isTrial = isTrial
        self.isAutomatic = isAutomatic
    }
}

/// The result of a change.
public struct CameraSettingResult: Codable, Hashable, Sendable {
    /// The outcome of a change. The camera confirmed the value only for ``set``, ``unchanged`` and
    /// ``adjusted``.
    public typealias Outcome = SettingOutcome

    /// The requested change.
    public var change: CameraSettingChange
    /// The outcome.
    public var outcome: Outcome
    /// The setting after the change, or `nil` if unknown.
    public var now: CameraSetting?
    /// The reason for the outcome, for people, or `nil` if the camera has exactly the requested value.
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
