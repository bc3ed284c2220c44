/// The action that the service takes for a USB device.
public enum DeviceAction: String, Codable, CaseIterable, Hashable, Sendable {
    /// Opens a connection and captures from the device.
    case open
    /// Opens a connection, and then decides based on the properties that the device reports.
    case check
    /// Does not open the camera in its current mode, and shows guidance.
    case leave
    /// Ignores the device.
    case ignore
}
