/// A change on the bus.
public enum USBChange: Hashable, Sendable {
    /// A device was plugged in, or was already present at the start.
    case arrived(USBDevice)
    /// A device was unplugged. The value equals the value of `arrived`.
    case left(USBDevice)
}
