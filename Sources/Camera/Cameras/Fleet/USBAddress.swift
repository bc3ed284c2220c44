import USBHotplug

/// The configured USB address of a camera: `usb:` for any camera, `usb:serial=NUMBER`, or `usb:port=1-1.4`.
enum USBAddress: Hashable {
    case any
    case serial(String)
    case port(String)

    /// Parses an address. Returns `nil` if the text is not a USB address.
    init?(_ text: String) {
        guard text.hasPrefix("usb:") else { return nil }
        let rest = text.dropFirst("usb:".count)
        let pair = rest.split(separator: "=", maxSplits: 1).map(String.init)
        switch (pair.first, pair.count) {
        case ("serial", 2): self = .serial(pair[1])
        case ("port", 2): self = .port(pair[1])
        default: self = .any
        }
    }

    func matches(_ device: USBDevice) -> Bool {
        switch self {
        case .any: true
        case .serial(let serial): device.serial == serial
        case .port(let port): device.portPath == port
        }
    }

    /// Whether the address identifies one camera. A precise address has priority over `usb:`.
    var isPrecise: Bool { self != .any }
}
