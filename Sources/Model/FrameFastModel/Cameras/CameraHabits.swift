/// What a maker's cameras need beyond what the driver does by itself: data of a maker's profile, on which a worker acts.
public struct CameraHabits: Codable, Hashable, Sendable {
    /// Where the camera puts photos.
    public struct Target: Codable, Hashable, Sendable {
        /// Who keeps the setting.
        public enum Keeper: String, Codable, Hashable, Sendable {
            /// The driver, from when the camera is opened. It cannot be read back.
            case driver
            /// The camera, which shows it in its menu.
            case camera
        }

        /// Who keeps it.
        public var keeper: Keeper
        /// The driver's name for it; `nil` when the driver sends its own setting before the first photo.
        public var setting: String?
        /// The word to set for what is wanted. What is missing cannot be had: `card` is set in its place.
        public var words: [CaptureTarget: String]?
        /// What the camera's words mean.
        public var readings: [String: CaptureTarget]?
    }

    /// Who is in command: the body's dials and buttons, or this computer.
    public struct Priority: Codable, Hashable, Sendable {
        /// When the computer must have the command for the shutter to be released from here.
        public enum ForRelease: String, Codable, Hashable, Sendable {
            case always
            case whenRefused = "when-refused"
        }

        /// The driver's name for it.
        public var setting: String
        /// Word for the body.
        public var body: String
        /// Word for the computer.
        public var host: String
        /// When it is taken for a moment to release the shutter.
        public var forRelease: ForRelease
    }

    /// A value of the driver's configuration.
    public struct Setting: Codable, Hashable, Sendable {
        /// The driver's name for it.
        public var setting: String
        /// The value.
        public var value: String
    }

    /// Models that are not ready for a release directly after they were opened.
    public struct SlowStart: Codable, Hashable, Sendable {
        /// Time that they need, in milliseconds.
        public var pauseMs: UInt64
        /// Their names, as in DeviceInfo.
        public var models: [String]
    }

    /// What the driver changes on the camera for live view.
    public struct LiveView: Codable, Hashable, Sendable {
        /// Settings that are noted before it begins, and set back when it has ended.
        public var keeps: [String]
        /// What is written to end it, in this order, before that.
        public var end: [Setting]
        /// What is written at last.
        public var handBack: Setting?
        /// Where the camera tells that it is too warm.
        public var heat: Heat?
    }

    /// A number of the camera's that tells of its temperature.
    public struct Heat: Codable, Hashable, Sendable {
        /// The driver's name for it.
        public var setting: String
        /// Which of its bits mean that the camera is too warm.
        public var mask: Int
    }

    /// Something that is begun with some settings and ended with others.
    public struct Toggle: Codable, Hashable, Sendable {
        /// What is written to begin it, in this order.
        public var begin: [Setting]
        /// What is written to end it.
        public var end: [Setting]
        /// Whether photos cannot be read meanwhile.
        public var holdsCard: Bool?
        /// Whether it works over USB only: over the network libgphoto2 2.5.30 announces data for some settings of a Sony, sends
        /// none, and waits in vain (ptp_ptpip_senddata).
        public var onlyUSB: Bool?
        /// Whether the driver begins live view for it, or it needs one.
        public var usesLiveView: Bool?
    }

    /// How the focus is found and moved.
    public struct Focus: Codable, Hashable, Sendable {
        /// What is written to let the camera find it.
        public var auto: [Setting]?
        /// What is written to stop that.
        public var cancel: [Setting]?
        /// The driver's name for a step.
        public var drive: String?
        /// The words for steps towards the near end.
        public var near: [FocusStep.Size: String]?
        /// The words for steps towards the far end.
        public var far: [FocusStep.Size: String]?
        /// Whether steps need live view.
        public var usesLiveView: Bool?
        /// What is written to release the shutter where the driver's release would focus.
        public var release: [Setting]?
    }

    /// How the shutter is held open: the ways that the driver has, the better one first.
    public var bulb: [Toggle]?
    /// How a movie is recorded, in the same way.
    public var movie: [Toggle]?
    /// How the focus is found and moved; `nil` where that cannot be done.
    public var focus: Focus?
    /// What the driver changes on the camera for live view; `nil` for nothing.
    public var liveView: LiveView?
    /// Where the camera puts photos; `nil` for a camera without a choice.
    public var target: Target?
    /// Who is in command. The driver takes it when it opens the camera; the person at the camera gets it back.
    public var priority: Priority?
    /// What is written after the shutter was released from here, to give the body back to whoever holds it.
    public var handBack: Setting?
    /// What is written after a release was refused: the driver leaves the button half-way down.
    public var afterRefusedRelease: Setting?
    /// Whether all of this holds in the maker's remote mode only; in another mode nothing is tried, not even a release.
    public var onlyInRemoteMode: Bool?
    /// Whether the shutter may not be released from here at all.
    public var neverTriggers: Bool?
    /// Whether older photos cannot be listed.
    public var cannotList: Bool?
    /// The size in bytes of the memory of the camera's own in which photos lie, when tethered, until they are deleted.
    public var memoryBytes: UInt64?
    /// Whether the driver throws announcements away that wait when the shutter is released.
    public var losesEventsAtRelease: Bool?
    /// Models whose body refuses its shutter while photos are read.
    public var refusesShutterWhileRead: [String]?
    /// The property that tells how many more shots the buffer takes, in hexadecimal as in the profile of settings.
    public var burstRoom: String?
    /// Models that start slowly.
    public var slowStart: SlowStart?
    /// The settings that a person may read and change, with the driver's words for them.
    public var settings: [CameraSettingKey: SettingHabit]?
    /// How the camera shows that it took a setting; `nil` is ``SettingConfirmation/reading``.
    public var confirmation: SettingConfirmation?
    /// Whether the driver never says that a setting cannot be changed.
    public var hidesReadOnly: Bool?
    /// Whether the camera never tells that a setting changed.
    public var settingsUntold: Bool?

    /// Nothing is known of the maker: the standard, and the driver's ways.
    public init() {}

    /// Whether the shutter may be released from here.
    public var mayTrigger: Bool { neverTriggers != true }
    /// Whether older photos can be listed.
    public var canList: Bool { cannotList != true }
}

/// The habits of one maker's cameras, and by what such a camera is known.
public struct MakerHabits: Codable, Hashable, Sendable {
    /// What the maker's name begins with in DeviceInfo; compared without case.
    public var names: [String]
    /// Number of the maker's vendor extension, where that tells as much as the name.
    public var vendorExtension: UInt32?
    /// What its cameras need.
    public var habits: CameraHabits

    /// Creates a row.
    public init(names: [String], vendorExtension: UInt32?, habits: CameraHabits) {
        self.names = names
        self.vendorExtension = vendorExtension
        self.habits = habits
    }
}
