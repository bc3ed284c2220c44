/// What happened on the bus.
public enum USBChange: Hashable, Sendable {
    /// A device was plugged in, or was there from the beginning.
    case arrived(USBDevice)
    /// A device was unplugged: the value with which it arrived.
    case left(USBDevice)
}
