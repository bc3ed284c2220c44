/// An error of communicating with a camera, classified so that callers can act on it.
public struct CameraError: Error, Hashable, Sendable {
    /// The kinds of errors. Every status code of libgphoto2 maps to one of these.
    public enum Kind: Hashable, Sendable {
        /// Another program holds the camera (−53), or the camera reports that it is busy (−110).
        case busy
        /// The device is missing (−52), or its link broke. Only a new session helps.
        case disconnected
        /// The camera did not answer in time (−10).
        case timeout
        /// Reading from or writing to the link failed (−7, −34, −35). The session may be out of step.
        case linkFailure
        /// No permission to open the device (−60, or LIBUSB_ERROR_ACCESS in the text).
        case permission
        /// No driver supports this camera (−105), or the driver can't be loaded (−4, −5, −31).
        case noDriver
        /// The folder or file does not exist on the camera (−107, −108).
        case notFound
        /// The camera or the driver does not support this (−6).
        case unsupported
        /// The driver does not accept a value or a name (−2).
        case badParameter
        /// Not enough memory (−3).
        case memory
        /// The reply is longer than the driver can count (PTP/IP, 4 GiB and more). The session is out of
        /// step.
        case tooLarge
        /// The receiver of the bytes cancelled the call (−112).
        case cancelled
        /// The call needs the packets between driver and camera, but the library does not show them in a
        /// known form: it is another version, or was built in another way.
        case unguarded
        /// Any other error, mostly −1. Only the text contains the reason.
        case refused
    }

    /// The kind of error.
    public var kind: Kind
    /// libgphoto2's status code.
    public var code: Int32
    /// The failed operation, for example `list files`.
    public var operation: String
    /// The library's text: from the context's error callback, or else its description of the code.
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
    /// The camera's PTP response code from the driver's text, or `nil` if the text contains none.
    public var response: UInt16? { PTPResponse.code(in: text) }

    /// Whether the camera could not focus. A Nikon has a response code for this; for an EOS and a Fujifilm
    /// the driver's text shows it (camera_trigger_canon_eos_capture, _put_Fuji_Bulb).
    public var isOutOfFocus: Bool {
        response == PTPResponse.outOfFocus || text.contains("Perhaps no focus")
            || text.contains("Perhaps no auto-focus")
    }
}

extension CameraError.Kind {
    /// Maps libgphoto2's status codes (gphoto2-port-result.h, gphoto2-result.h) to kinds.
    init(code: Int32, text: String) {
        self =
            switch code {
            case -53, -110: .busy
            case -52: .disconnected
            case -10: .timeout
            case -7, -34, -35, -36, -37, -39: .linkFailure
            case -60: .permission
            case -105, -4, -5, -31: .noDriver
            case -107, -108: .notFound
            case -6: .unsupported
            case -2: .badParameter
            case -3: .memory
            case -112: .cancelled
            default: .refused
            }
        // The port layer reports a device node without access as −53 or −60, with libusb's text.
        if self == .busy || self == .refused,
            text.contains("ermission") || text.contains("LIBUSB_ERROR_ACCESS")
        {
            self = .permission
        }
    }
}
