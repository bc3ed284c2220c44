/// What the camera's USB menu says: what it is for the computer.
public enum USBMode: String, Hashable, Sendable, CaseIterable {
    /// A camera that can be tethered: PTP, or what a maker calls PC Remote.
    case ptp
    /// A camera that only hands out its files. A Sony has another product number then.
    case mtp
    /// A disk: the card's reader and no camera.
    case storage
    /// Power only: an interface that nobody knows.
    case charging

    /// Class, subclass and protocol of the one interface.
    var interface: (class: UInt8, subclass: UInt8, protocol: UInt8) {
        switch self {
        case .ptp, .mtp: (0x06, 0x01, 0x01)
        case .storage: (0x08, 0x06, 0x50)
        case .charging: (0xFF, 0xFF, 0xFF)
        }
    }

    /// Whether PTP is spoken.
    var isCamera: Bool { self == .ptp || self == .mtp }
}
