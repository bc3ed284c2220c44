/// What a camera shows itself as on the bus. The same body has another mode for each answer in its USB menu.
public enum CameraMode: String, Codable, CaseIterable, Hashable, Sendable {
    /// Speaks PTP: tethering is possible, and the session will tell.
    case ptp
    /// The maker's remote mode, known as such.
    case tether
    /// PTP for copying files only.
    case mtp
    /// The card as a disk.
    case massStorage = "mass-storage"
    /// A video device.
    case webcam
    /// A network adapter.
    case network
    /// Charging only: switched off, or the USB connection is off in the menu.
    case charging
    /// A protocol of the maker's own.
    case vendor
    /// The body changes modes by itself, or waits for an answer on its screen.
    case autoSelect = "auto"
    /// The computer would use the body to develop raw files.
    case rawConversion = "raw-conversion"
    /// A phone, tablet or music player.
    case phone
    /// None of these could be told.
    case unknown
}
