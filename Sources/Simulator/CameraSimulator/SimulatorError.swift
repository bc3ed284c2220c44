/// Why the simulated camera cannot do what its operator asked.
public enum SimulatorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A file or directory cannot be used.
    case file(path: String, reason: String)
    /// The network address or socket path cannot be used.
    case socket(address: String, reason: String)
    /// The camera cannot be plugged in.
    case usb(reason: String)
    /// An option or control command is not understood.
    case usage(String)
    /// The card has no room for another photo.
    case cardFull
    /// The client has the command: the body's shutter is dead.
    case bodyLocked
    /// The body takes no shot while it is read.
    case isRead

    /// What a client is answered.
    var response: PTPResponse { self == .isRead ? .deviceBusy : .storeFull }

    /// One sentence, lower case, for a terminal.
    public var description: String {
        switch self {
        case .file(let path, let reason): "cannot use \(path): \(reason)"
        case .socket(let address, let reason): "cannot listen on \(address): \(reason)"
        case .usb(let reason): "cannot plug the camera in: \(reason)"
        case .usage(let text): text
        case .cardFull: "cannot take the photo: the card is full"
        case .isRead: "cannot take the photo: the camera is being read, and its shutter waits for that"
        case .bodyLocked: "cannot take the photo: the computer has the command, the shutter is dead"
        }
    }
}
