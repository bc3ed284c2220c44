/// What FrameFast does with a USB device.
public enum DeviceAction: String, Codable, CaseIterable, Hashable, Sendable {
    /// Opens a session and captures from it.
    case open
    /// Opens a session, then judges by what the camera says there.
    case check
    /// A camera that is never opened as it is now; the person is told why.
    case leave
    /// None of our business.
    case ignore
}
