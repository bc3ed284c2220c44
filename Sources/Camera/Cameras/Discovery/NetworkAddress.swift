import Foundation

/// A camera's network address: an IPv4 address and the TCP port of both PTP/IP connections.
public struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
    /// The default port of PTP/IP (CIPA DC-005, section 2.2.1).
    public static let usualPort: UInt16 = 15740

    /// The camera's IPv4 address.
    public var host: IPv4Address
    /// The TCP port, 1...65535.
    public var port: UInt16

    /// Creates an address.
    public init(host: IPv4Address, port: UInt16 = Self.usualPort) {
        self.host = host
        self.port = port
    }

    /// Parses an address from the user or the configuration: `192.168.1.5`, `192.168.1.5:15740`,
    /// `ptpip:192.168.1.5`, or libgphoto2's format, which contains the port twice.
    ///
    /// - Throws: An error with a description for users.
    public init(_ text: String) throws(NetworkAddressError) {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        var parts = trimmed.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count > 1, parts[0].lowercased() == "ptpip" { parts.removeFirst() }
        // IPv6 addresses, for example `[fe80::1]:15740` or `fe80::1`.
        if trimmed.contains("::") || trimmed.hasPrefix("[") || parts.count > 3 { throw .notIPv4(trimmed) }
        guard let host = IPv4Address(parts[0]) else { throw .unreadable(trimmed) }
        guard host.isHost else { throw .notACamera(trimmed) }
        let ports = try parts.dropFirst().map { part throws(NetworkAddressError) in
            guard part.allSatisfy({ $0.isASCII && $0.isNumber }), let port = UInt16(part), port > 0 else {
                throw .badPort(trimmed)
            }
            return port
        }
        if ports.count == 2, ports[0] != ports[1] { throw .twoPorts(trimmed) }
        self.init(host: host, port: ports.first ?? Self.usualPort)
    }

    /// The port path for the configuration: `ptpip:192.168.1.5:15740`.
    public var portPath: String { "ptpip:\(self)" }

    /// The address and port: `192.168.1.5:15740`.
    public var description: String { "\(host):\(port)" }
}

/// An error that occurred while parsing a camera's address.
public enum NetworkAddressError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is not an IPv4 address, for example a host name or a typing error.
    case unreadable(String)
    /// The text is an IPv6 address.
    case notIPv4(String)
    /// A camera can't have this address: broadcast, multicast or 0.0.0.0.
    case notACamera(String)
    /// The port is not a number from 1 to 65535.
    case badPort(String)
    /// The ports for commands and events differ.
    case twoPorts(String)

    /// A description for users: the problem and the correct form.
    public var description: String {
        switch self {
        case .unreadable(let text):
            "cannot read '\(text)' as a camera's address: enter an IPv4 address, for example 192.168.1.5"
        case .notIPv4(let text):
            "cannot use '\(text)': cameras support IPv4 only, for example 192.168.1.5"
        case .notACamera(let text):
            "cannot use '\(text)': a camera cannot have this address; look up the address in the camera's network menu"
        case .badPort(let text):
            "cannot use the port in '\(text)': a port is a number from 1 to 65535, usually \(NetworkAddress.usualPort)"
        case .twoPorts(let text):
            "cannot use '\(text)': a camera uses the same port for commands and events; enter one port"
        }
    }
}
