/// An error of the communication with a camera, classified for callers.
public struct CameraError: Error, Hashable, Sendable {
    /// The kinds of errors. Every status code of libgphoto2 is mapped to a kind.
    public enum Kind: Hashable, Sendable {
        /// Another program uses the camera (−53), or the camera reports that it is busy (−110).
        case busy
        /// The device is missing (−52), or its link is broken. Only a new connection helps.
        case disconnected
        /// The camera did not respond in time (−10).
        case timeout
        /// Reading from or writing to the link failed (−7, −34 to −37, −39). Requests and responses may be
        /// out of step.
        case linkFailure
        /// No permission to open the device (−60, or LIBUSB_ERROR_ACCESS in the text).
        case permission
        /// No driver supports this camera (−105), or the driver can't be loaded (−4, −5, −31).
        case noDriver
        /// The folder or file does not exist on the camera (−107, −108).
        case notFound
        /// The camera or the driver does not support the request (−6).
        case unsupported
        /// The driver does not accept a value or a name (−2).
        case badParameter
        /// Not enough memory (−3).
        case memory
        /// The response is longer than the driver can count (PTP/IP, 4 GiB and more). Requests and responses
        /// are out of step.
        case tooLarge
        /// The receiver of the bytes cancelled the transfer (−112).
        case cancelled
        /// The call is possible only if FrameFast can read the packets between driver and camera. This build
        /// or version of the library does not log packets in a known format.
        case unguarded
        /// Any other error, usually −1. Only the text contains the reason.
        case refused
    }

    /// The kind of error.
    public var kind: Kind
    /// libgphoto2's status code.
    public var code: Int32
    /// The operation that failed, for example `list files`.
    public var operation: String
    /// The library's text: the messages of the context's error callback, or the description of the code.
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
    /// The camera's PTP response code in the driver's text, or `nil` if the text contains none.
    public var response: UInt16? { PTPResponse.code(in: text) }

    /// Whether the camera could not focus. A Nikon has a response code for this error. For an EOS and a
    /// Fujifilm, only the driver's text names this error (camera_trigger_canon_eos_capture, _put_Fuji_Bulb).
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
        // If access to the device node is denied, the port layer may report −53 or an unclassified code. Only
        // libusb's text then contains the reason.
        if self == .busy || self == .refused,
            text.contains("ermission") || text.contains("LIBUSB_ERROR_ACCESS")
        {
            self = .permission
        }
    }
}
