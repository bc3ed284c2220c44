/// The USB mode of a camera. A person selects the mode in the camera's USB menu.
public enum CameraMode: String, Codable, CaseIterable, Hashable, Sendable {
    /// PTP. Only a PTP connection can show whether the camera supports tethering.
    case ptp
    /// The maker's remote mode, recognized by its USB identifiers.
    case tether
    /// MTP, for copying files only.
    case mtp
    /// The card as a disk (mass storage).
    case massStorage = "mass-storage"
    /// A video device.
    case webcam
    /// A network adapter.
    case network
    /// Charging only: the camera is off, or its menu disables the USB connection.
    case charging
    /// A proprietary protocol of the maker.
    case vendor
    /// The camera switches modes automatically, or a person must select a mode on its screen.
    case autoSelect = "auto"
    /// A mode in which the computer uses the camera to develop RAW files.
    case rawConversion = "raw-conversion"
    /// A phone, tablet or music player.
    case phone
    /// Unknown.
    case unknown
}
