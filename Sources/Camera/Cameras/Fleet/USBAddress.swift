import USBHotplug

/// The USB address of a configured camera: `usb:` for any, `usb:serial=NUMBER`, `usb:port=1-1.4`.
enum USBAddress: Hashable {
    case any
    case serial(String)
    case port(String)

    /// Parses an address; returns `nil` if it is not a USB address.
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

    /// Whether the address names one camera. A precise address is matched before `usb:`.
    var isPrecise: Bool { self != .any }
}
