/// The source of a setting's new value.
public enum SettingSource: String, Codable, Hashable, Sendable {
    /// The camera: a dial or button of the body, or what it chose by itself.
    case camera
    /// A request to the service.
    case request
}

/// A setting of a camera as it is now.
public struct CameraSetting: Codable, Hashable, Sendable {
    /// Whether a person may change it.
    public enum Writable: String, Codable, Hashable, Sendable {
        case yes
        /// Not now: the mode of the camera decides.
        case no
        /// The camera does not tell.
        case unknown
    }

    /// A value that the camera offers.
    public struct Choice: Codable, Hashable, Sendable {
        /// In our spelling; `nil` for a word that nobody has translated.
        public var value: CameraSettingValue?
        /// In the driver's.
        public var word: String

        /// Creates a choice.
        public init(value: CameraSettingValue?, word: String) {
            self.value = value
            self.word = word
        }
    }

    /// Numbers that the camera offers.
    public struct Range: Codable, Hashable, Sendable {
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

    /// Which one; `nil` for one that only the driver has a name for.
    public var key: CameraSettingKey?
    /// The driver's name for it, by which it can be set as well.
    public var name: String
    /// Its value in our spelling; `nil` for a word that nobody has translated.
    public var value: CameraSettingValue?
    /// Its value in the driver's.
    public var word: String
    /// What the camera says it offers: a hint, that some cameras get wrong. Empty for a text or a number.
    public var choices: [Choice]
    /// Numbers that it offers; `nil` where it does not take any number.
    public var range: Range?
    /// Whether it can be changed now.
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

/// What a person wants to be set.
public struct CameraSettingChange: Codable, Hashable, Sendable {
    /// A ``CameraSettingKey``, or the driver's own name for a setting.
    public var name: String
    /// The value: in our spelling for a key, in the driver's for a name of its own.
    public var value: String

    /// Creates a change.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// The key, where it has one.
    public var key: CameraSettingKey? { CameraSettingKey(rawValue: name) }
}

/// Changes that belong together.
public struct CameraSettingsOrder: Codable, Hashable, Sendable {
    /// What to change. A mode that the camera does not take ends it: the others depend on it.
    public var changes: [CameraSettingChange]
    /// Whether the nearest value will do where the camera does not have the one that was asked for.
    public var takesNearest: Bool
    /// Whether only to say what would be set.
    public var isTrial: Bool

    /// Creates an order.
    public init(_ changes: [CameraSettingChange], takesNearest: Bool = false, isTrial: Bool = false) {
        self.changes = changes
        self.takesNearest = takesNearest
        self.isTrial = isTrial
    }
}

/// What became of a change.
public struct CameraSettingResult: Codable, Hashable, Sendable {
    /// How it ended. Only ``set``, ``unchanged`` and ``adjusted`` are seen on the camera.
    public enum Outcome: String, Codable, CaseIterable, Hashable, Sendable {
        /// The camera says that it has this value now, or the nearest one that it offers if the order takes that.
        case set
        /// It had this value already; nothing was sent.
        case unchanged
        /// It took another value than the one that was sent.
        case adjusted
        /// It said yes, and has another value still.
        case ignored
        /// It did not say in time what it has now.
        case unconfirmed
        /// It said no.
        case refused
        /// It had something else to do, for longer than was waited.
        case busy
        /// It cannot be changed in the mode that the camera is in.
        case readOnly = "read-only"
        /// The camera has no such setting, or no such value.
        case unsupported
        /// Nothing was tried, because something before it did not succeed.
        case skipped
        /// It would be set: nothing was changed.
        case trial
    }

    /// What was asked for.
    public var change: CameraSettingChange
    /// How it ended.
    public var outcome: Outcome
    /// What the camera has now; `nil` when that is not known.
    public var now: CameraSetting?
    /// Why, in words for a person; `nil` when it has the very value that was asked for.
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
