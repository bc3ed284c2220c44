public import FrameFastModel

/// An address at which a maker's cameras are usually found.
public struct NetworkCandidate: Codable, Hashable, Sendable {
    /// IPv4 address.
    public let host: String
    /// TCP port for commands.
    public let port: UInt16
    /// TCP port for events; `nil` for the same.
    public let eventPort: UInt16?
    /// The driver's model name to ask for; `nil` for `PTP/IP Camera`.
    public let driverModel: String?
}

extension KnowledgeBase {
    /// The PTP/IP port of the standard.
    public static let ptpipPort: UInt16 = 15740

    /// The UPnP services by which cameras announce themselves, of all makers.
    public var announcedServices: [String] { makers.flatMap { $0.network.services ?? [] } }

    /// Where to look for a camera of `maker` that is an access point itself.
    ///
    /// - Parameter maker: The maker; for `nil`, the addresses of all makers of whom one can be tethered, each once.
    /// - Returns: Addresses in the order in which to try them; none when the maker cannot be tethered so.
    public func networkCandidates(for maker: Maker?) -> [NetworkCandidate] {
        let habits =
            maker.map { maker in entry(for: maker).map { [$0.network] } ?? [] }
            ?? makers.map(\.network)
        var known: Set<NetworkCandidate> = []
        return habits.filter(\.isPossible).flatMap { habit in
            habit.hosts.map { host in
                // Sought without a maker, nothing may depend on one.
                NetworkCandidate(
                    host: host, port: habit.port ?? Self.ptpipPort, eventPort: habit.eventPort,
                    driverModel: maker == nil && habit.eventPort == nil ? nil : habit.driverModel)
            }
        }.filter { known.insert($0).inserted }
    }
}
