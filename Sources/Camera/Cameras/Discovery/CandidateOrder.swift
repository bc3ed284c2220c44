/// The addresses to try in a search for cameras, and their order.
///
/// Addresses from the user and remembered addresses come first, then announced addresses, then the usual
/// addresses of makers' camera access points.
public struct CandidateOrder: Hashable, Sendable {
    /// The maximum number of addresses in one search. All are tried at once, with up to two connections each.
    public static let countMax = 64

    /// The last known address of a camera, and the network on which it was seen.
    public struct Remembered: Hashable, Sendable {
        /// The network on which the camera was seen.
        public var network: NetworkKey
        /// The camera's address on that network.
        public var address: NetworkAddress

        /// Creates a remembered address.
        public init(network: NetworkKey, address: NetworkAddress) {
            self.network = network
            self.address = address
        }
    }

    /// The address that the user named.
    public var preferred: NetworkAddress?
    /// The last known addresses, newest first. Only those on one of the host's current networks are tried.
    public var remembered: [Remembered]
    /// The addresses that announced a camera.
    public var announced: [NetworkAddress]
    /// The makers' usual addresses, in the order of the maker picker. Only those on one of the host's
    /// networks are tried: a camera's access point puts the host on the camera's network. The same address
    /// behind a router belongs to another device.
    public var usual: [NetworkAddress]
    /// The addresses of connected cameras, which are not tried. A camera serves one computer, and a probe
    /// could end its connection.
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

    /// Returns the addresses to try, best first, without duplicates, at most ``countMax``.
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
