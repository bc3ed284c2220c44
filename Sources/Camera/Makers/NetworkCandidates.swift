public import FrameFastModel

/// A default network address of a maker's cameras.
public struct NetworkCandidate: Codable, Hashable, Sendable {
    /// The IPv4 address.
    public let host: String
    /// The TCP port for commands and events.
    public let port: UInt16
}

extension KnowledgeBase {
    /// The standard PTP/IP port.
    public static let ptpipPort: UInt16 = 15740

    /// The UPnP services of all makers, with which their cameras announce themselves.
    public var announcedServices: [String] { makers.flatMap { $0.network.services ?? [] } }

    /// Returns the addresses of cameras of `maker` that act as access points.
    ///
    /// - Parameter maker: The maker, or `nil` for the addresses of all makers that support tethering over a
    ///   network, without duplicates.
    /// - Returns: The addresses, in the order in which to try them. Empty if the maker's cameras can't be
    ///   tethered over a network.
    public func networkCandidates(for maker: Maker?) -> [NetworkCandidate] {
        let profiles =
            maker.map { maker in entry(for: maker).map { [$0.network] } ?? [] }
            ?? makers.map(\.network)
        var known: Set<NetworkCandidate> = []
        return profiles.filter(\.isPossible).flatMap { profile in
            profile.hosts.map { NetworkCandidate(host: $0, port: profile.port ?? Self.ptpipPort) }
        }.filter { known.insert($0).inserted }
    }
}
