/// A change on the bus.
public enum USBChange: Hashable, Sendable {
    /// A device was plugged in, or was already present at the start.
    case arrived(USBDevice)
    /// A device was unplugged. The device equals the device of the earlier `arrived`.
    case left(USBDevice)
}
