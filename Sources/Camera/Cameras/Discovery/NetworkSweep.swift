/// The addresses of the host's own networks, except large networks, in batches. Each batch is one search.
///
/// A sweep has no state. The caller passes the last address of the previous batch, and can show progress or
/// stop between two batches.
public struct NetworkSweep: Hashable, Sendable {
    /// The maximum number of hosts in a network: a /22. Larger networks would take minutes to scan. Studio
    /// and camera networks are smaller. An office network can be larger, but the daemon must not scan
    /// thousands of addresses there.
    public static let hostsMax: UInt32 = 1_022
    /// The number of addresses in a batch. A probe tries all of them at the same time. A batch therefore
    /// takes as long as its slowest address.
    public static let batchMax = ProbeLoop.parallelMax

    /// The addresses of all networks with at most ``hostsMax`` hosts, in ascending order. Excludes the host's
    /// own addresses.
    public let addresses: [IPv4Address]
    /// The networks that are too large to search. Show them to the user, because the sweep can't find a
    /// camera there.
    public let refused: [NetworkKey]

    /// Lists the addresses of the host's networks, except the loopback network.
    public init(of host: HostNetworks) {
        let networks = host.networks.filter { !$0.address.isLoopback && $0.hostCount > 0 }
        let small = networks.filter { $0.hostCount <= Self.hostsMax }
        addresses = Set(small.flatMap(\.hosts)).filter { !host.has($0) }.sorted()
        refused = Set(networks.filter { $0.hostCount > Self.hostsMax }.map(\.key))
            .sorted { $0.rawValue < $1.rawValue }
    }

    /// Returns the next batch.
    ///
    /// - Parameter last: The last address of the previous batch, or `nil` to start.
    public func batch(after last: IPv4Address?) -> Batch {
        let before = last.map { last in addresses.prefix { $0 <= last }.count } ?? 0
        let batch = Array(addresses.dropFirst(before).prefix(Self.batchMax))
        let done = before + batch.count
        return Batch(addresses: batch, done: done, isLast: done == addresses.count)
    }

    /// A batch of addresses for one search.
    public struct Batch: Hashable, Sendable {
        /// The addresses to try.
        public var addresses: [IPv4Address]
        /// The number of addresses in this batch and all previous batches.
        public var done: Int
        /// Whether this is the last batch.
        public var isLast: Bool
    }
}
