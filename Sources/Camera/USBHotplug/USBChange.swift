/// A change on the bus.
public enum USBChange: Hashable, Sendable {
    /// A device was plugged in, or was present at the start.
    case arrived(USBDevice)
    /// A device was unplugged. The value is the same as at its arrival.
    case left(USBDevice)
}
