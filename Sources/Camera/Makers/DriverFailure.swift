public import FrameFastModel

/// The type of the connection to a camera.
public enum ConnectionKind: String, Codable, CaseIterable, Hashable, Sendable {
    case usb, network
}

/// A failure that the driver reported.
public struct DriverFailure: Hashable, Sendable {
    /// The phase of a connection.
    public enum Phase: Hashable, Sendable {
        /// The connection is being opened.
        case opening
        /// The connection is open.
        case session
    }

    /// The maker, or `nil` if unknown.
    public var maker: Maker?
    /// The model, or `nil` if unknown.
    public var model: String?
    /// The type of the connection to the camera.
    public var connection: ConnectionKind
    /// libgphoto2's status code, for example -53.
    public var code: Int
    /// The driver's error messages in the locale C, or an empty string.
    public var text: String
    /// The phase of the connection.
    public var phase: Phase
    /// Whether the process may read and write the device's node, or `nil` if this was not checked.
    public var nodeIsAccessible: Bool?
    /// The program that uses the interface, for example `gvfsd-gphoto2`, or `nil` if unknown.
    public var holder: String?
    /// Whether FrameFast has connected to the camera before.
    public var isKnownCamera: Bool

    /// Whether the camera may wait for the user's approval on its screen. An unpaired EOS responds only after
    /// the approval, and the driver waits 2.5 s (libgphoto2 issue 1133). The text is from the worker.
    var mayAwaitApproval: Bool {
        !isKnownCamera && text.contains("no response to Init_Command_Request")
    }

    /// Creates a failure.
    public init(
        maker: Maker?, model: String? = nil, connection: ConnectionKind = .usb, code: Int,
        text: String = "",
        phase: Phase, nodeIsAccessible: Bool? = nil, holder: String? = nil, isKnownCamera: Bool = false
    ) {
        self.maker = maker
        self.model = model
        self.connection = connection
        self.code = code
        self.text = text
        self.phase = phase
        self.nodeIsAccessible = nodeIsAccessible
        self.holder = holder
        self.isKnownCamera = isKnownCamera
    }
}

/// The user-facing meaning of a failure.
public struct Diagnosis: Hashable, Sendable {
    /// The condition.
    public var condition: ConditionKind
    /// The guidance for the user.
    public var guidance: Guidance
}
