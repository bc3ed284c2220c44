import Glibc

/// A loopback address with a port: `127.0.0.1:9477` or `[::1]:9477`.
public struct LoopbackAddress: Sendable, Hashable {
    /// The IP address, without brackets.
    public var host: String
    /// The port, 1...65535.
    public var port: Int

    /// Parses an address, or returns `nil` if the text is not a loopback address with a port.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[colon...].dropFirst()
        guard !digits.hasPrefix("+"), let port = Int(digits), (1...65_535).contains(port) else { return nil }
        let host = text[..<colon]
        self.port = port
        if host == "[::1]" {
            self.host = "::1"
        } else {
            var address = in_addr()
            guard inet_pton(AF_INET, String(host), &address) == 1, address.s_addr & 0xFF == 127 else {
                return nil
            }
            self.host = String(host)
        }
    }

    /// The address in the format of the configuration.
    public var text: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
}
