/// The setting of the camera's USB menu, which determines its USB interface.
public enum USBMode: String, Hashable, Sendable, CaseIterable {
    /// A camera for tethering: PTP, which Sony calls PC Remote.
    case ptp
    /// A camera that only transfers its files. A Sony has a different product number in this mode.
    case mtp
    /// A disk: the card reader without PTP.
    case storage
    /// Power only: an interface that no driver supports.
    case charging

    /// The class, subclass and protocol of the interface.
    var interface: (class: UInt8, subclass: UInt8, protocol: UInt8) {
        switch self {
        case .ptp, .mtp: (0x06, 0x01, 0x01)
        case .storage: (0x08, 0x06, 0x50)
        case .charging: (0xFF, 0xFF, 0xFF)
        }
    }

    /// Whether the interface supports PTP.
    var isCamera: Bool { self == .ptp || self == .mtp }
}
