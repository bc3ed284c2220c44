/// A look at every address of the host's own networks, in pieces that one search can do.
///
/// It keeps nothing: whoever looks says after which address to go on, so that progress can be shown between two pieces,
/// and nobody has to call anything off.
public struct NetworkSweep: Hashable, Sendable {
    /// Hosts of the largest network that is looked through: a /22. A larger one would take minutes, and no studio's or
    /// camera's network is that large; an office's is, and it is not ours to knock at thousands of doors.
    public static let hostsMax: UInt32 = 1_022
    /// Addresses of one piece: what a probe tries at once, so that a piece takes as long as its slowest address.
    public static let pieceMax = NetworkProbe.parallelMax

    /// Every address of the networks that are small enough, in ascending order; not the host's own.
    public let addresses: [IPv4Address]
    /// Networks that are too large. Whoever asks is told of them: a camera there is not found.
    public let refused: [NetworkKey]

    /// Lists the addresses of the networks that a host is on; of the loopback network none.
    public init(of host: HostNetworks) {
        let networks = host.networks.filter { !$0.address.isLoopback && $0.hostCount > 0 }
        let small = networks.filter { $0.hostCount <= Self.hostsMax }
        addresses = Set(small.flatMap(\.hosts)).filter { !host.has($0) }.sorted()
        refused = Set(networks.filter { $0.hostCount > Self.hostsMax }.map(\.key))
            .sorted { $0.rawValue < $1.rawValue }
    }

    /// The next piece.
    ///
    /// - Parameter last: The last address of the piece before; `nil` at the beginning.
    public func piece(after last: IPv4Address?) -> Piece {
        let before = last.map { last in addresses.prefix { $0 <= last }.count } ?? 0
        let piece = Array(addresses.dropFirst(before).prefix(Self.pieceMax))
        let done = before + piece.count
        return Piece(addresses: piece, done: done, isLast: done == addresses.count)
    }

    /// What one search tries.
    public struct Piece: Hashable, Sendable {
        /// The addresses to try.
        public var addresses: [IPv4Address]
        /// How many addresses are done when these are.
        public var done: Int
        /// Whether they are the last ones.
        public var isLast: Bool
    }
}
