/// The place where the web page listens.
public enum WebListenAddress: Sendable, Hashable {
    /// Nowhere. The page is off.
    case off
    /// On this computer only.
    case loopback(LoopbackAddress)
    /// On the private addresses of this computer, at this port.
    case lan(port: Int)

    /// The port for `lan` if the text names no port.
    public static let portDefault = 9480

    /// Parses the configured text, or returns `nil` if it is invalid.
    public init?(_ text: String) {
        if text.isEmpty || text == "off" {
            self = .off
        } else if text == "lan" {
            self = .lan(port: Self.portDefault)
        } else if text.hasPrefix("lan:") {
            let digits = text.dropFirst("lan:".count)
            guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = Int(digits),
                (1...65_535).contains(port)
            else { return nil }
            self = .lan(port: port)
        } else {
            guard let address = LoopbackAddress(text) else { return nil }
            self = .loopback(address)
        }
    }

    /// The address in the format of the configuration.
    public var text: String {
        switch self {
        case .off: ""
        case .loopback(let address): address.text
        case .lan(let port): "lan:\(port)"
        }
    }
}
