public import FrameFastModel

/// A way to the camera.
public enum CameraConnection: String, Codable, CaseIterable, Hashable, Sendable {
    case usb, network
}

/// A failure as the driver tells it.
public struct DriverFailure: Hashable, Sendable {
    /// When it failed.
    public enum Phase: Hashable, Sendable {
        /// While the session was being opened.
        case opening
        /// Later.
        case session
    }

    /// The maker; `nil` when it is not known.
    public var maker: Maker?
    /// The model; `nil` when it is not known.
    public var model: String?
    /// The way to the camera.
    public var connection: CameraConnection
    /// libgphoto2's result, for example -53.
    public var code: Int
    /// What the driver said on its error channel (locale C); empty when nothing.
    public var text: String
    /// When it failed.
    public var phase: Phase
    /// Whether the process may read and write the device's node; `nil` when that was not looked up.
    public var nodeIsAccessible: Bool?
    /// The program that holds the interface, for example `gvfsd-gphoto2`; `nil` when it is not known.
    public var holder: String?

    /// Creates a failure.
    public init(
        maker: Maker?, model: String? = nil, connection: CameraConnection = .usb, code: Int,
        text: String = "",
        phase: Phase, nodeIsAccessible: Bool? = nil, holder: String? = nil
    ) {
        self.maker = maker
        self.model = model
        self.connection = connection
        self.code = code
        self.text = text
        self.phase = phase
        self.nodeIsAccessible = nodeIsAccessible
        self.holder = holder
    }
}

/// What a failure means for a person.
public struct Diagnosis: Hashable, Sendable {
    /// The condition.
    public var condition: ConditionKind
    /// What to tell.
    public var guidance: Guidance

    /// Creates a diagnosis.
    public init(condition: ConditionKind, guidance: Guidance) {
        self.condition = condition
        self.guidance = guidance
    }
}
