import Glibc

/// Names a network for as long as it looks the same, for example `192.168.1.0/24`.
///
/// A remembered address is worth trying only on the network where it was seen.
public struct NetworkKey: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// Network address and prefix length; the mask itself when it is not contiguous.
    public var rawValue: String

    /// Takes a stored key.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The network that `address` is on.
    public init(address: IPv4Address, mask: IPv4Address) {
        let length = (~mask.bits).leadingZeroBitCount
        let isContiguous = length == mask.bits.nonzeroBitCount
        let network = IPv4Address(bits: address.bits & mask.bits)
        rawValue = "\(network)/\(isContiguous ? "\(length)" : "\(mask)")"
    }

    /// The key as text.
    public var description: String { rawValue }
}

/// One IPv4 network that this computer is on.
public struct HostNetwork: Hashable, Sendable {
    /// The interface, for example `wlan0`.
    public var interface: String
    /// This computer's address there.
    public var address: IPv4Address
    /// The network's mask.
    public var mask: IPv4Address

    /// Creates a network.
    public init(interface: String, address: IPv4Address, mask: IPv4Address) {
        self.interface = interface
        self.address = address
        self.mask = mask
    }

    /// Its stable name.
    public var key: NetworkKey { NetworkKey(address: address, mask: mask) }

    /// Whether an address is on this network, so that no router stands in between.
    public func contains(_ other: IPv4Address) -> Bool {
        other.bits & mask.bits == address.bits & mask.bits
    }

    /// How many hosts fit, without the network's own address and its broadcast address. None on a network of one or two
    /// addresses, which is a tunnel or a single host.
    public var hostCount: UInt32 { ~mask.bits > 1 ? ~mask.bits - 1 : 0 }

    /// The addresses of all hosts that fit. To be asked of small networks only.
    var hosts: [IPv4Address] {
        hostCount == 0
            ? [] : (1...hostCount).map { IPv4Address(bits: address.bits & mask.bits | $0) }
    }
}

/// The networks that this computer is on.
public struct HostNetworks: Hashable, Sendable {
    /// In the system's order. The loopback network is one of them.
    public var networks: [HostNetwork]

    /// Creates a list.
    public init(_ networks: [HostNetwork]) { self.networks = networks }

    /// Reads the interfaces that are up (getifaddrs). Empty when the system tells none.
    public static func current() -> HostNetworks {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return HostNetworks([]) }
        defer { freeifaddrs(first) }
        var networks: [HostNetwork] = []
        var next = first
        while let entry = next?.pointee {
            next = entry.ifa_next
            let flags = entry.ifa_flags
            guard flags & UInt32(IFF_UP) != 0, flags & UInt32(IFF_RUNNING) != 0,
                let address = Self.address(entry.ifa_addr), let mask = Self.address(entry.ifa_netmask),
                let name = entry.ifa_name
            else { continue }
            networks.append(HostNetwork(interface: String(cString: name), address: address, mask: mask))
        }
        return HostNetworks(networks)
    }

    private static func address(_ pointer: UnsafeMutablePointer<sockaddr>?) -> IPv4Address? {
        guard let pointer, pointer.pointee.sa_family == sa_family_t(AF_INET) else { return nil }
        return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
            IPv4Address(bits: UInt32(bigEndian: $0.pointee.sin_addr.s_addr))
        }
    }

    /// The network that an address is on; `nil` when it lies behind a router.
    public func network(of address: IPv4Address) -> HostNetwork? {
        // The longest mask is the most exact answer, as in routing.
        networks.filter { $0.contains(address) }.max { $0.mask < $1.mask }
    }

    /// Whether this computer has the address itself.
    public func has(_ address: IPv4Address) -> Bool {
        address.isLoopback ? false : networks.contains { $0.address == address }
    }
}
