/// Which addresses are tried in the search for cameras, and in which order.
///
/// What a person or the memory says comes first, then those that announce themselves, then the addresses that makers
/// give their cameras' own access points.
public struct CandidateOrder: Hashable, Sendable {
    /// Most addresses in one search. They are tried at once, with up to two connections each.
    public static let countMax = 64

    /// An address where a camera was, with the network on which that was.
    public struct Remembered: Hashable, Sendable {
        /// The network then.
        public var network: NetworkKey
        /// The camera's address then.
        public var address: NetworkAddress

        /// Creates a memory.
        public init(network: NetworkKey, address: NetworkAddress) {
            self.network = network
            self.address = address
        }
    }

    /// The address that a person named.
    public var preferred: NetworkAddress?
    /// Where cameras were last, newest first. Only those on a network that the host is on now are tried.
    public var remembered: [Remembered]
    /// Where something announced itself as a camera.
    public var announced: [NetworkAddress]
    /// The makers' usual addresses, in the order of the maker picker. Only those on one of the host's networks are
    /// tried: a camera's own access point puts the host on its network, and anything else at that address behind a
    /// router is somebody else's.
    public var usual: [NetworkAddress]
    /// Addresses of cameras that are connected already. A body serves one computer, and a probe could cost it its
    /// session.
    public var connected: Set<NetworkAddress>

    /// Creates an order.
    public init(
        preferred: NetworkAddress? = nil, remembered: [Remembered] = [], announced: [NetworkAddress] = [],
        usual: [NetworkAddress] = [], connected: Set<NetworkAddress> = []
    ) {
        self.preferred = preferred
        self.remembered = remembered
        self.announced = announced
        self.usual = usual
        self.connected = connected
    }

    /// The addresses to try, best first, none twice, at most ``countMax``.
    ///
    /// - Parameter host: The networks that the host is on.
    public func addresses(on host: HostNetworks) -> [NetworkAddress] {
        let keys = Set(host.networks.map(\.key))
        let known = remembered.filter { keys.contains($0.network) }.map(\.address)
        let guessed = usual.filter { host.network(of: $0.host) != nil && !host.has($0.host) }
        var seen = connected
        let all = (preferred.map { [$0] } ?? []) + known + announced + guessed
        return Array(all.filter { seen.insert($0).inserted }.prefix(Self.countMax))
    }
}
