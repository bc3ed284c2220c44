import Glibc

/// A stable key of a network, for example `192.168.1.0/24`.
///
/// The search tries a remembered address only on the network where the camera was seen.
public struct NetworkKey: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The network address and the prefix length. If the mask is not contiguous, the mask replaces the prefix
    /// length.
    public var rawValue: String

    /// Creates a key from its stored form.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates the key for the network that contains `address`.
    public init(address: IPv4Address, mask: IPv4Address) {
        let length = (~mask.bits).leadingZeroBitCount
        let isContiguous = length == mask.bits.nonzeroBitCount
        let network = IPv4Address(bits: address.bits & mask.bits)
        rawValue = "\(network)/\(isContiguous ? "\(length)" : "\(mask)")"
    }

    /// The key as text.
    public var description: String { rawValue }
}

/// An IPv4 network that this computer is on.
public struct HostNetwork: Hashable, Sendable {
    /// The name of the interface, for example `wlan0`.
    public var interface: String
    /// This computer's address on the network.
    public var address: IPv4Address
    /// The subnet mask.
    public var mask: IPv4Address

    /// Creates a network.
    public init(interface: String, address: IPv4Address, mask: IPv4Address) {
        self.interface = interface
        self.address = address
        self.mask = mask
    }

    /// The stable key of the network.
    public var key: NetworkKey { NetworkKey(address: address, mask: mask) }

    /// Returns whether an address is on this network, without a router in between.
    public func contains(_ other: IPv4Address) -> Bool {
        other.bits & mask.bits == address.bits & mask.bits
    }

    /// The number of host addresses, without the network address and the broadcast address. The value is 0
    /// for a network with one or two addresses, for example a tunnel.
    public var hostCount: UInt32 { ~mask.bits > 1 ? ~mask.bits - 1 : 0 }

    /// The addresses of all hosts. Intended for small networks only.
    var hosts: [IPv4Address] {
        hostCount == 0
            ? [] : (1...hostCount).map { IPv4Address(bits: address.bits & mask.bits | $0) }
    }
}

/// The networks that this computer is on.
public struct HostNetworks: Hashable, Sendable {
    /// The networks in the system's order, including the loopback network.
    public var networks: [HostNetwork]

    /// Creates a list.
    public init(_ networks: [HostNetwork]) { self.networks = networks }

    /// Reads the active interfaces (`getifaddrs`). Returns an empty list on failure.
    ///
    /// - Parameter withIdle: Whether to include interfaces without a link, for example the bridge of libvirt
    ///   without virtual machines. The kernel still routes packets to their networks.
    public static func current(withIdle: Bool = false) -> HostNetworks {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return HostNetworks([]) }
        defer { freeifaddrs(first) }
        var networks: [HostNetwork] = []
        var next = first
        while let entry = next?.pointee {
            next = entry.ifa_next
            let flags = entry.ifa_flags
            guard flags & UInt32(IFF_UP) != 0, withIdle || flags & UInt32(IFF_RUNNING) != 0,
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

    /// Returns the network that contains an address, or `nil` if the address is behind a router.
    public func network(of address: IPv4Address) -> HostNetwork? {
        // As in routing, the longest mask is the best match.
        networks.filter { $0.contains(address) }.max { $0.mask < $1.mask }
    }

    /// Returns steps for networks that several interfaces have in common.
    ///
    /// The kernel reaches such a network through only one of the interfaces. A camera on another interface
    /// therefore does not respond. Typical causes are a camera's access point with the addresses of the local
    /// network (192.168.1.0/24), and the bridge of libvirt with those of a Sony (192.168.122.0/24).
    ///
    /// - Parameter camera: The camera's address, or `nil` to include all networks.
    public func stepsForSharedNetworks(of camera: IPv4Address? = nil) -> [String] {
        var interfaces: [NetworkKey: Set<String>] = [:]
        for network in networks where !network.address.isLoopback && network.hostCount > 0 {
            if let camera, !network.contains(camera) { continue }
            // An additional address of an interface can have a label, for example `eth0:1`.
            let name = String(network.interface.prefix { $0 != ":" })
            interfaces[network.key, default: []].insert(name)
        }
        let shared = interfaces.filter { $0.value.count > 1 }.sorted { $0.key.rawValue < $1.key.rawValue }
        return shared.map { entry in
            let names = entry.value.sorted().joined(separator: ", ")
            return "\(entry.key) is the network of several interfaces (\(names)), and this computer uses "
                + "only one of them. Turn off the interfaces that do not lead to the camera."
        }
    }

    /// Returns whether the address belongs to this computer. Returns `false` for a loopback address.
    public func has(_ address: IPv4Address) -> Bool {
        address.isLoopback ? false : networks.contains { $0.address == address }
    }
}
