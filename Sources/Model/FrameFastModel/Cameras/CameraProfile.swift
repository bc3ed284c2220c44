/// The settings and limits of a maker's cameras that differ from the driver's defaults. The worker applies
/// these settings and limits.
public struct CameraProfile: Codable, Hashable, Sendable {
    /// The storage for new photos.
    public struct Target: Codable, Hashable, Sendable {
        /// The component that stores the setting.
        public enum SettingStore: String, Codable, Hashable, Sendable {
            /// The driver, while the camera is open. The setting cannot be read back.
            case driver
            /// The camera, which shows the setting in its menu.
            case camera
        }

        /// The component that stores the setting.
        public var settingStore: SettingStore
        /// The driver's name for the setting, or `nil` if the driver sets the storage before the first photo.
        public var setting: String?
        /// The driver's value for each target. A target without a value is unavailable, and the worker sets
        /// `card` instead.
        public var driverValues: [CaptureTarget: String]?
        /// The target for each value that the camera reports.
        public var readings: [String: CaptureTarget]?

        private enum CodingKeys: String, CodingKey {
            case settingStore = "keeper"
            case setting
            case driverValues = "words"
            case readings
        }
    }

    /// The control priority: a setting that selects whether the camera's dials and buttons or this computer
    /// control the camera.
    public struct Priority: Codable, Hashable, Sendable {
        /// The cases in which the worker takes control before it releases the shutter.
        public enum ForRelease: String, Codable, Hashable, Sendable {
            case always
            case whenRefused = "when-refused"
        }

        /// The driver's name for the setting.
        public var setting: String
        /// The value that gives control to the camera.
        public var body: String
        /// The value that gives control to the computer.
        public var host: String
        /// The cases in which the worker takes control to release the shutter: always, or after the camera
        /// refused a release.
        public var forRelease: ForRelease
    }

    /// The models that cannot release the shutter immediately after the driver opens the camera.
    public struct SlowStart: Codable, Hashable, Sendable {
        /// The time from opening the camera until the camera can release the shutter, in milliseconds.
        public var pauseMs: UInt64
        /// The model names, as in DeviceInfo.
        public var models: [String]
    }

    /// The settings that live view changes on the camera.
    public struct LiveView: Codable, Hashable, Sendable {
        /// The settings that the worker records before live view and restores after it.
        public var restoredSettings: [String]
        /// The settings that end live view, in order of writing. The worker writes these settings before it
        /// restores the recorded settings.
        public var end: [Setting]
        /// The setting that the worker writes after it restored the recorded settings.
        public var handBack: Setting?
        /// The setting that reports overheating, or `nil` if the camera does not report it.
        public var heat: Heat?

        private enum CodingKeys: String, CodingKey {
            case restoredSettings = "keeps"
            case end, handBack, heat
        }
    }

    /// A camera setting that reports the camera's temperature as a bit mask. Either ``setting`` or
    /// ``property`` has a value.
    public struct Heat: Codable, Hashable, Sendable {
        /// The driver's name for the setting, or `nil` if the driver cannot read the setting.
        public var setting: String?
        /// The code of the property in the camera's events, or `nil` if the driver reads the setting.
        public var property: PropertyCode?
        /// The bits that mean that the camera is too warm.
        public var mask: Int
    }

    /// An operation that the worker starts and ends by writing settings.
    public struct Toggle: Codable, Hashable, Sendable {
        /// The settings that start the operation, in order of writing.
        public var begin: [Setting]
        /// The settings that end the operation.
        public var end: [Setting]
        /// Whether the card must not be read during the operation, because the camera blocks this or ends the
        /// exposure.
        public var holdsCard: Bool?
        /// Whether the operation works over USB only. Over the network, libgphoto2 2.5.30 hangs on some Sony
        /// settings, because libgphoto2 announces a data phase and sends no data (ptp_ptpip_senddata).
        public var onlyUSB: Bool?
        /// Whether live view runs during the operation. The worker or the driver starts live view.
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
        /// The driver's values for steps towards the near end.
        public var near: [FocusStep.Size: String]?
        /// The driver's values for steps towards the far end.
        public var far: [FocusStep.Size: String]?
        /// Whether steps need live view.
        public var usesLiveView: Bool?
        /// The methods to release the shutter without autofocus, preferred first. Needed for cameras that
        /// focus at the driver's release command. The settings in `begin` press the shutter button, and the
        /// settings in `end` release it.
        public var releases: [Toggle]?
    }

    /// The methods to hold the shutter open (bulb), preferred first.
    public var bulb: [Toggle]?
    /// The methods to record a movie, preferred first.
    public var movie: [Toggle]?
    /// The settings for the focus, or `nil` if the focus cannot be controlled.
    public var focus: Focus?
    /// The settings that live view changes on the camera, or `nil` if it changes no settings.
    public var liveView: LiveView?
    /// The driver's values for a battery level that is too low for live view, or `nil` if the camera reports
    /// the level in percent.
    public var lowBattery: [String]?
    /// The storage for new photos, or `nil` if it cannot be selected.
    public var target: Target?
    /// The control priority. The driver takes control when it opens the camera, and the worker returns
    /// control to the camera.
    public var priority: Priority?
    /// The setting that returns control to the camera after the worker released the shutter.
    public var handBack: Setting?
    /// The setting that the worker writes after a refused release, because the driver leaves the shutter
    /// button half-pressed.
    public var afterRefusedRelease: Setting?
    /// Whether the profile applies only in the maker's remote mode. In other modes, the worker controls
    /// nothing and does not release the shutter.
    public var onlyInRemoteMode: Bool?
    /// Whether this computer must never release the shutter.
    public var neverTriggers: Bool?
    /// Whether the camera cannot list photos that were taken before the connection.
    public var cannotList: Bool?
    /// The size of the internal memory that holds tethered photos until they are deleted, in bytes; `nil` for
    /// a camera without this memory.
    public var memoryBytes: UInt64?
    /// Whether the driver discards pending announcements when it releases the shutter.
    public var losesEventsAtRelease: Bool?
    /// Whether the driver's release opens the shutter of a camera at bulb, and then waits for the end of the
    /// exposure.
    public var holdsShutterAtBulb: Bool?
    /// The models that refuse to release the shutter during a transfer.
    public var refusesShutterWhileRead: [String]?
    /// The code of the property that reports how many more shots the buffer can hold, as four hexadecimal
    /// digits.
    public var burstShotsLeft: String?
    /// The models that start slowly, and their delay.
    public var slowStart: SlowStart?
    /// The settings that a person can read and change, with the driver's names and values.
    public var settings: [CameraSettingKey: SettingProfile]?
    /// The method of confirming a changed setting; `nil` means ``SettingConfirmation/reading``.
    public var confirmation: SettingConfirmation?
    /// Whether the driver never reports a setting as read-only.
    public var hidesReadOnly: Bool?
    /// Whether the camera sends no events for changed settings.
    public var sendsNoSettingEvents: Bool?

    private enum CodingKeys: String, CodingKey {
        case bulb, movie, focus, liveView, lowBattery, target, priority, handBack, afterRefusedRelease,
            onlyInRemoteMode, neverTriggers, cannotList, memoryBytes, losesEventsAtRelease,
            holdsShutterAtBulb, refusesShutterWhileRead
        case burstShotsLeft = "burstRoom"
        case slowStart, settings, confirmation, hidesReadOnly
        case sendsNoSettingEvents = "settingsUntold"
    }

    /// Creates the profile of an unknown maker: the PTP standard and the driver's defaults.
    public init() {}

    /// Whether this computer may release the shutter.
    public var mayTrigger: Bool { neverTriggers != true }
    /// Whether the camera can list photos that were taken before the connection.
    public var canList: Bool { cannotList != true }
}

/// The profile of one maker's cameras, and the DeviceInfo values that identify the maker.
public struct MakerProfile: Codable, Hashable, Sendable {
    /// The prefixes of the maker's name in DeviceInfo. The comparison ignores case.
    public var names: [String]
    /// The number of the maker's vendor extension, or `nil` if it does not identify the maker reliably.
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
