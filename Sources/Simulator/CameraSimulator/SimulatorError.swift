import Glibc
import SystemIO

/// An error of the simulator.
public enum SimulatorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A file or directory cannot be used.
    case file(path: String, reason: String)
    /// The network address or socket path cannot be used.
    case socket(address: String, reason: String)
    /// The camera cannot be plugged in.
    case usb(reason: String)
    /// An option or a control command is invalid.
    case usage(String)
    /// The card has no space for another photo.
    case cardFull
    /// The client controls the camera, and the body's shutter button is locked.
    case bodyLocked
    /// The body refuses a shot because a client has just read a photo.
    case shutterHeld

    /// The PTP response to a client whose release fails with this error.
    var response: PTPResponse { self == .shutterHeld ? .deviceBusy : .storeFull }

    /// The error message for the terminal: one sentence in lower case.
    public var description: String {
        switch self {
        case .file(let path, let reason): "cannot use \(path): \(reason)"
        case .socket(let address, let reason): "cannot listen on \(address): \(reason)"
        case .usb(let reason): "cannot plug the camera in: \(reason)"
        case .usage(let text): text
        case .cardFull: "cannot take the photo: the card is full"
        case .shutterHeld: "cannot take the photo: the shutter is blocked while a client reads a photo"
        case .bodyLocked: "cannot take the photo: a client has locked the shutter button"
        }
    }

    /// Writes the error message to standard error.
    func report() { try? IO.writeAll(Array("framefast-simcam: \(self)\n".utf8), to: STDERR_FILENO) }
}
