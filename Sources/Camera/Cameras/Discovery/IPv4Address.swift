/// An IPv4 address. libgphoto2 accepts neither IPv6 addresses nor host names.
public struct IPv4Address: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The 32 bits, most significant byte first: 127.0.0.1 is `0x7F00_0001`.
    public var bits: UInt32

    /// Creates an address from 32 bits.
    public init(bits: UInt32) { self.bits = bits }

    /// Parses dotted decimal notation. Returns `nil` for any other text.
    ///
    /// Refuses leading zeros. C libraries parse a number with a leading zero as octal (`inet_aton`), but
    /// people expect decimal.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bits: UInt32 = 0
        for part in parts {
            guard (1...3).contains(part.count), part.allSatisfy({ $0.isASCII && $0.isNumber }),
                part == "0" || part.first != "0", let value = UInt8(part)
            else { return nil }
            bits = bits << 8 | UInt32(value)
        }
        self.bits = bits
    }

    /// Whether a host can have this address. `false` for "this network", multicast, reserved and broadcast
    /// addresses.
    public var isHost: Bool { bits >> 24 != 0 && bits >> 28 < 0xE }

    /// Whether the address is a loopback address (127.0.0.0/8).
    public var isLoopback: Bool { bits >> 24 == 127 }

    /// Compares addresses as numbers.
    public static func < (left: IPv4Address, right: IPv4Address) -> Bool { left.bits < right.bits }

    /// The address in dotted decimal notation.
    public var description: String {
        [24, 16, 8, 0].map { "\(bits >> UInt32($0) & 0xFF)" }.joined(separator: ".")
    }
}
