/// The action of FrameFast for a USB device.
public enum DeviceAction: String, Codable, CaseIterable, Hashable, Sendable {
    /// Opens a connection and captures from the device.
    case open
    /// Opens a connection, then decides by the properties that the device reports.
    case check
    /// Does not open a camera in its current mode, and tells the person why.
    case leave
    /// Ignores the device.
    case ignore
}
