import Glibc

/// An IPv4 or IPv6 address, without a port or an interface.
public struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// The bytes in network order: 4 for IPv4, and 16 for IPv6.
    let bytes: [UInt8]

    /// Parses an address, or returns `nil` if the text is a name or malformed.
    ///
    /// Ignores the interface of a link-local address (`fe80::1%eth0`). Reads an IPv4 address inside an IPv6
    /// address (`::ffff:192.168.1.20`) as the IPv4 address.
    public init?(_ text: some StringProtocol) {
        let plain = String(text.prefix { $0 != "%" })
        var four = in_addr()
        // Accepts only four decimal numbers, unlike inet_aton.
        if inet_pton(AF_INET, plain, &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0.prefix(4)) }
            return
        }
        var six = in6_addr()
        guard inet_pton(AF_INET6, plain, &six) == 1 else { return nil }
        let all = withUnsafeBytes(of: &six) { Array($0.prefix(16)) }
        bytes = all.prefix(12).elementsEqual(Self.mappedPrefix) ? Array(all.suffix(4)) : all
    }

    /// Creates an address from 4 or 16 bytes in network order, or returns `nil` for another number of bytes.
    init?(octets: [UInt8]) {
        guard octets.count == 4 || octets.count == 16 else { return nil }
        bytes = octets
    }

    private static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

    /// 127.0.0.1.
    public static let loopback = IPAddress(bytes: [127, 0, 0, 1])

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// The network from which an address can be reached.
    public enum Scope: Hashable, Sendable {
        /// Only this computer.
        case loopback
        /// A private network: RFC 1918, or a unique local IPv6 address.
        case privateNetwork
        /// One cable or one Wi-Fi network, without a router.
        case linkLocal
        /// Any other network, possibly the internet.
        case global
    }

    /// Whether the address has the IPv6 form.
    public var isIPv6: Bool { bytes.count == 16 }

    /// The scope.
    public var scope: Scope {
        let (first, second) = (bytes[0], bytes[1])
        if isIPv6 {
            if bytes.dropLast().allSatisfy({ $0 == 0 }), bytes.last == 1 { return .loopback }
            if first & 0xfe == 0xfc { return .privateNetwork }
            return first == 0xfe && second & 0xc0 == 0x80 ? .linkLocal : .global
        }
        switch (first, second) {
        case (127, _): return .loopback
        case (10, _), (172, 16...31), (192, 168): return .privateNetwork
        case (169, 254): return .linkLocal
        default: return .global
        }
    }

    /// The address as text. IPv6 is in the shortest form, without brackets.
    public var description: String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(isIPv6 ? AF_INET6 : AF_INET, bytes, &buffer, socklen_t(buffer.count)) != nil else {
            return ""
        }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The address as the host of a URL: IPv6 in brackets.
    public var urlHost: String { isIPv6 ? "[\(description)]" : description }
}
