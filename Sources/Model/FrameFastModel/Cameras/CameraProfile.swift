/// The requirements of a maker's cameras beyond the driver's defaults: data of the maker's profile, which a
/// worker applies.
public struct CameraProfile: Codable, Hashable, Sendable {
    /// The storage for new photos.
    public struct Target: Codable, Hashable, Sendable {
        /// The owner of the setting.
        public enum Keeper: String, Codable, Hashable, Sendable {
            /// The driver, from the moment it opens the camera. The setting cannot be read back.
            case driver
            /// The camera, which shows the setting in its menu.
            case camera
        }

        /// The owner of the setting.
        public var keeper: Keeper
        /// The driver's name for the setting, or `nil` if the driver sends its own setting before the first
        /// photo.
        public var setting: String?
        /// The word for each target. A target without a word is unavailable, and the worker sets `card`
        /// instead.
        public var words: [CaptureTarget: String]?
        /// The target for each of the camera's words.
        public var readings: [String: CaptureTarget]?
    }

    /// The control priority: the body's dials and buttons, or this computer.
    public struct Priority: Codable, Hashable, Sendable {
        /// The condition under which the computer needs control to release the shutter.
        public enum ForRelease: String, Codable, Hashable, Sendable {
            case always
            case whenRefused = "when-refused"
        }

        /// The driver's name for the setting.
        public var setting: String
        /// The word for the body.
        public var body: String
        /// The word for the computer.
        public var host: String
        /// The condition under which the worker takes control for a moment to release the shutter.
        public var forRelease: ForRelease
    }

    /// A setting of the driver with a value.
    public struct Setting: Codable, Hashable, Sendable {
        /// The driver's name for the setting.
        public var setting: String
        /// The value to write.
        public var value: String
    }

    /// Models that cannot release the shutter directly after they were opened.
    public struct SlowStart: Codable, Hashable, Sendable {
        /// The time that they need, in milliseconds.
        public var pauseMs: UInt64
        /// The model names, as in DeviceInfo.
        public var models: [String]
    }

    /// The settings that live view changes on the camera.
    public struct LiveView: Codable, Hashable, Sendable {
        /// The settings that the worker records before live view and restores after it.
        public var keeps: [String]
        /// The settings that end live view, in order of writing. The worker writes them before it restores
        /// the recorded ones.
        public var end: [Setting]
        /// The setting that the worker writes last.
        public var handBack: Setting?
        /// The setting that reports overheating.
        public var heat: Heat?
    }

    /// A camera setting that reports the camera's temperature as a bit mask.
    public struct Heat: Codable, Hashable, Sendable {
        /// The driver's name for the setting.
        public var setting: String
        /// The bits that mean that the camera is too warm.
        public var mask: Int
    }

    /// An operation that some settings start and others end.
    public struct Toggle: Codable, Hashable, Sendable {
        /// The settings that start the operation, in order of writing.
        public var begin: [Setting]
        /// The settings that end the operation.
        public var end: [Setting]
        /// Whether photos cannot be read during the operation.
        public var holdsCard: Bool?
        /// Whether the operation works over USB only. For some settings of a Sony, libgphoto2 2.5.30
        /// announces data over the network, sends none, and waits forever (ptp_ptpip_senddata).
        public var onlyUSB: Bool?
        /// Whether the operation needs live view, or the driver starts live view for it.
        public var usesLiveView: Bool?
    }

    /// The settings for autofocus and for moving the focus.
    public struct Focus: Codable, Hashable, Sendable {
        /// The settings that start autofocus.
        public var auto: [Setting]?
        /// The settings that stop autofocus.
        public var cancel: [Setting]?
        /// The driver's name of the setting that moves the focus by a step.
        public var drive: String?
        /// The words for steps towards the near end.
        public var near: [FocusStep.Size: String]?
        /// The words for steps towards the far end.
        public var far: [FocusStep.Size: String]?
        /// Whether steps need live view.
        public var usesLiveView: Bool?
        /// The settings that release the shutter on cameras for which the driver's release would focus.
        public var release: [Setting]?
    }

    /// The ways to hold the shutter open (bulb), best first.
    public var bulb: [Toggle]?
    /// The ways to record a movie, best first.
    public var movie: [Toggle]?
    /// The settings for the focus, or `nil` if the focus cannot be controlled.
    public var focus: Focus?
    /// The settings that live view changes on the camera, or `nil` for none.
    public var liveView: LiveView?
    /// The storage for new photos, or `nil` for a camera without a choice.
    public var target: Target?
    /// The control priority. The driver takes control when it opens the camera, and the worker returns it to
    /// the person at the camera.
    public var priority: Priority?
    /// The setting that returns control to the body after the worker released the shutter.
    public var handBack: Setting?
    /// The setting that the worker writes after a refused release, because the driver leaves the button
    /// half-pressed.
    public var afterRefusedRelease: Setting?
    /// Whether all of this applies only in the maker's remote mode. In another mode the worker tries nothing,
    /// not even a release.
    public var onlyInRemoteMode: Bool?
    /// Whether this computer must never release the shutter.
    public var neverTriggers: Bool?
    /// Whether photos from before the connection cannot be listed.
    public var cannotList: Bool?
    /// The size of the camera's internal memory that holds tethered photos until they are deleted, in bytes;
    /// `nil` without one.
    public var memoryBytes: UInt64?
    /// Whether the driver discards pending announcements when it releases the shutter.
    public var losesEventsAtRelease: Bool?
    /// Models that refuse to release the shutter while photos are read.
    public var refusesShutterWhileRead: [String]?
    /// The property that reports how many more shots the buffer can hold, in hexadecimal as in the profile of
    /// settings.
    public var burstShotsLeft: String?
    /// The models that start slowly, and the time that they need.
    public var slowStart: SlowStart?
    /// The settings that a person may read and change, with the driver's words for them.
    public var settings: [CameraSettingKey: SettingProfile]?
    /// The way in which the camera confirms a setting; `nil` means ``SettingConfirmation/reading``.
    public var confirmation: SettingConfirmation?
    /// Whether the driver never reports a setting as read-only.
    public var hidesReadOnly: Bool?
    /// Whether the camera never reports that a setting changed.
    public var settingsUntold: Bool?

    private enum CodingKeys: String, CodingKey {
        case bulb, movie, focus, liveView, target, priority, handBack, afterRefusedRelease,
            onlyInRemoteMode, neverTriggers, cannotList, memoryBytes, losesEventsAtRelease,
            refusesShutterWhileRead
        case burstShotsLeft = "burstRoom"
        case slowStart, settings, confirmation, hidesReadOnly, settingsUntold
    }

    /// Creates the profile of an unknown maker: the PTP standard and the driver's defaults.
    public init() {}

    /// Whether this computer may release the shutter.
    public var mayTrigger: Bool { neverTriggers != true }
    /// Whether photos from before the connection can be listed.
    public var canList: Bool { cannotList != true }
}

/// The profile of one maker's cameras, and the signs by which such a camera is recognised.
public struct MakerProfile: Codable, Hashable, Sendable {
    /// The prefixes of the maker's name in DeviceInfo, compared without case.
    public var names: [String]
    /// The number of the maker's vendor extension, if it identifies the maker as reliably as the name.
    public var vendorExtension: UInt32?
    /// The profile.
    public var profile: CameraProfile

    private enum CodingKeys: String, CodingKey {
        case names, vendorExtension
        case profile = "habits"
    }

    /// Creates the profile of a maker.
    public init(names: [String], vendorExtension: UInt32?, profile: CameraProfile) {
        self.names = names
        self.vendorExtension = vendorExtension
        self.profile = profile
    }
}
