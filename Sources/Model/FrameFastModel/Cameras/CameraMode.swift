/// The kind of device as which a camera appears on the bus. The same body has another mode for each choice in
/// its USB menu.
public enum CameraMode: String, Codable, CaseIterable, Hashable, Sendable {
    /// PTP. Tethering is possible, which only the PTP session can show.
    case ptp
    /// The maker's remote mode, recognised by its USB identifiers.
    case tether
    /// PTP only for copying files.
    case mtp
    /// The card as a disk (mass storage).
    case massStorage = "mass-storage"
    /// A video device.
    case webcam
    /// A network adapter.
    case network
    /// Charging only: the camera is off, or its menu disables the USB connection.
    case charging
    /// A proprietary protocol.
    case vendor
    /// The body switches modes automatically, or waits for a choice on its screen.
    case autoSelect = "auto"
    /// A mode in which the computer uses the body to develop RAW files.
    case rawConversion = "raw-conversion"
    /// A phone, tablet or music player.
    case phone
    /// Unknown.
    case unknown
}
