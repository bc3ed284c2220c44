/// Why talking to a camera failed, in terms a caller can act on.
public struct CameraError: Error, Hashable, Sendable {
    /// What kind of failure it is. A closed set: every number of libgphoto2 becomes one of these.
    public enum Kind: Hashable, Sendable {
        /// Another program holds the camera (−53), or the camera says that it is busy (−110).
        case busy
        /// The device is not there (−52), or its link broke. Only a new session helps.
        case disconnected
        /// The camera did not answer in time (−10).
        case timeout
        /// Reading from or writing to the link failed (−7, −34, −35). The session may be out of step.
        case linkTrouble
        /// No permission to open the device (−60, or LIBUSB_ERROR_ACCESS in the text).
        case permission
        /// No driver knows this camera (−105), or it cannot be loaded (−4, −5, −31).
        case noDriver
        /// The folder or file does not exist on the camera (−107, −108).
        case notFound
        /// Camera or driver cannot do this (−6).
        case unsupported
        /// A value or name that the driver does not take (−2).
        case badParameter
        /// Not enough memory (−3).
        case memory
        /// The reply is longer than the driver can count (PTP/IP, 4 GiB and more); the session is out of step.
        case tooLarge
        /// Our own side ended the call: the receiver of the bytes wants no more (−112).
        case cancelled
        /// It needs the packets between driver and camera, and the library does not show them in a form that is known here:
        /// another version of it, or one that was built in another way.
        case unguarded
        /// Everything else, mostly −1: the reason is only in the text.
        case refused
    }

    /// What kind of failure it is.
    public var kind: Kind
    /// libgphoto2's number.
    public var code: Int32
    /// What was being done, for example `list files`.
    public var operation: String
    /// The library's own words: from the context's error callback, else its name for the number.
    public var text: String

    /// Creates an error.
    public init(kind: Kind, code: Int32, operation: String, text: String) {
        self.kind = kind
        self.code = code
        self.operation = operation
        self.text = text
    }
}

extension CameraError {
    /// The camera's own answer, as the driver words it; `nil` when it is not in the text.
    public var response: UInt16? { PTPResponse.told(in: text) }

    /// Whether the camera found no focus: a Nikon has a number for it, for an EOS and a Fujifilm the driver says so
    /// (camera_trigger_canon_eos_capture, _put_Fuji_Bulb).
    public var isOutOfFocus: Bool {
        response == PTPResponse.outOfFocus || text.contains("Perhaps no focus")
            || text.contains("Perhaps no auto-focus")
    }
}

extension CameraError.Kind {
    /// Sorts libgphoto2's numbers (gphoto2-port-result.h, gphoto2-result.h) into the set.
    init(code: Int32, text: String) {
        self =
            switch code {
            case -53, -110: .busy
            case -52: .disconnected
            case -10: .timeout
            case -7, -34, -35, -36, -37, -39: .linkTrouble
            case -60: .permission
            case -105, -4, -5, -31: .noDriver
            case -107, -108: .notFound
            case -6: .unsupported
            case -2: .badParameter
            case -3: .memory
            case -112: .cancelled
            default: .refused
            }
        // The port layer reports a device node without access as −53 or −60 with libusb's words.
        if self == .busy || self == .refused,
            text.contains("ermission") || text.contains("LIBUSB_ERROR_ACCESS")
        {
            self = .permission
        }
    }
}
