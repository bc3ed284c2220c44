/// The addresses to try in a search for cameras, in order.
///
/// Addresses from the user and remembered addresses come first. Announced addresses follow, then the default
/// addresses of makers' camera access points.
public struct CandidateOrder: Hashable, Sendable {
    /// The maximum number of addresses in one search. The search tries all addresses at the same time, with
    /// up to two connections each.
    public static let countMax = 64

    /// The last known address of a camera, and the network on which it was seen.
    public struct KnownAddress: Hashable, Sendable {
        /// The network on which the camera was seen.
        public var network: NetworkKey
        /// The camera's address on that network.
        public var address: NetworkAddress

        /// Creates a known address.
        public init(network: NetworkKey, address: NetworkAddress) {
            self.network = network
            self.address = address
        }
    }

    /// The address that the user entered, or `nil` if the user entered no address.
    public var preferred: NetworkAddress?
    /// The last known addresses, newest first. The search tries only addresses on the host's current
    /// networks.
    public var remembered: [KnownAddress]
    /// The addresses that announced a camera.
    public var announced: [NetworkAddress]
    /// The makers' default addresses, in the order of the maker picker. The search tries only addresses on
    /// the host's networks, because a camera's access point puts the host on the camera's network. An
    /// address that the host reaches only through a router belongs to another device.
    public var usual: [NetworkAddress]
    /// The addresses of connected cameras, which the search skips. A camera serves one computer, and a probe
    /// could end its connection.
    public var connected: Set<NetworkAddress>

    /// Creates a list of candidates.
    public init(
        preferred: NetworkAddress? = nil, remembered: [KnownAddress] = [], announced: [NetworkAddress] = [],
        usual: [NetworkAddress] = [], connected: Set<NetworkAddress> = []
    ) {
        self.preferred = preferred
        self.remembered = remembered
        self.announced = announced
        self.usual = usual
        self.connected = connected
    }

    /// Returns up to ``countMax`` addresses to try, best first, without duplicates.
    ///
    /// - Parameter host: The host's networks.
    public func addresses(on host: HostNetworks) -> [NetworkAddress] {
        let keys = Set(host.networks.map(\.key))
        let known = remembered.filter { keys.contains($0.network) }.map(\.address)
        let guessed = usual.filter { host.network(of: $0.host) != nil && !host.has($0.host) }
        var seen = connected
        let all = (preferred.map { [$0] } ?? []) + known + announced + guessed
        return Array(all.filter { seen.insert($0).inserted }.prefix(Self.countMax))
    }
}
