import CLibUSB

/// An error of a USB operation.
public enum USBError: Error, Hashable, Sendable, CustomStringConvertible {
    /// This computer or container has no USB.
    case noUSB
    /// The device was unplugged.
    case gone(String)
    /// No permission to open the device's node.
    case denied(String)
    /// Another program or a kernel driver uses the device.
    case busy(String)
    /// The bus was closed.
    case closed
    /// Another error, with the action and libusb's description.
    case library(action: String, reason: String)

    /// A description for users.
    public var description: String {
        switch self {
        case .noUSB: "cannot use USB: this computer has no USB, or it is hidden from this program"
        case .gone(let port): "cannot reach the device at USB port \(port): it is unplugged"
        case .denied(let node): "cannot open \(node): permission denied"
        case .busy(let node): "cannot use \(node): another program is using it"
        case .closed: "cannot use USB: the bus is closed"
        case .library(let action, let reason): "cannot \(action): \(reason)"
        }
    }

    /// Creates an error from a libusb status.
    init(_ status: Int32, action: String, device: USBDevice? = nil) {
        let node = device?.nodePath ?? "USB"
        switch libusb_error(status) {
        case LIBUSB_ERROR_ACCESS: self = .denied(node)
        case LIBUSB_ERROR_NO_DEVICE, LIBUSB_ERROR_NOT_FOUND: self = .gone(device?.portPath ?? "?")
        case LIBUSB_ERROR_BUSY: self = .busy(node)
        default: self = .library(action: action, reason: String(cString: libusb_strerror(status)))
        }
    }
}
