import USBHotplug

/// Which camera on the USB a configured one is: `usb:` any, `usb:serial=NUMBER`, `usb:port=1-1.4`.
enum USBAddress: Hashable {
    case any
    case serial(String)
    case port(String)

    /// Reads an address; `nil` when it is not on the USB.
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

    /// A precise address goes before one that takes anything.
    var isPrecise: Bool { self != .any }
}
