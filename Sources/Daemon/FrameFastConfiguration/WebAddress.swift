/// Where the page is served: on this computer, or on the local network.
public struct WebAddress: Sendable, Hashable {
    /// The port when none is said.
    public static let usualPort = 9480
    /// What stands for the private addresses of this computer.
    static let lan = "lan"

    /// The loopback address to listen on; `nil` for the local network.
    public var host: String?
    /// The port.
    public var port: Int

    /// Whether other computers can reach it.
    public var isOnNetwork: Bool { host == nil }

    /// Reads `lan`, `lan:9480` or a loopback address with a port; `nil` for anything else.
    public init?(_ text: String) {
        if text == Self.lan {
            (host, port) = (nil, Self.usualPort)
            return
        }
        if text.hasPrefix(Self.lan + ":") {
            guard let number = Int(text.dropFirst(Self.lan.count + 1)), (1...65_535).contains(number) else {
                return nil
            }
            (host, port) = (nil, number)
            return
        }
        guard let address = LoopbackAddress(text) else { return nil }
        (host, port) = (address.host, address.port)
    }

    /// As it is written in the configuration.
    public var text: String {
        guard let host else { return port == Self.usualPort ? Self.lan : "\(Self.lan):\(port)" }
        return (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
    }
}
