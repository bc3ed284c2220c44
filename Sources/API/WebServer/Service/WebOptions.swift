public import APIServer

/// The options of the web page's server.
public struct WebOptions: Sendable {
    /// The place where the server listens.
    public enum Place: Hashable, Sendable {
        /// Only this computer, at a loopback address. The page then needs no TLS.
        case computer(IPAddress, port: Int)
        /// The private addresses of this computer, and its public addresses if `includesPublic` is set.
        case networks(port: Int, includesPublic: Bool)
    }

    /// The place where the server listens.
    public var place: Place
    /// Whether the server uses TLS in a network.
    public var isEncrypted: Bool
    /// Further host names under which browsers may open the page.
    public var names: [String]
    /// The files of the certificate.
    public var certificate: CertificateFiles
    /// The rights of the roles.
    public var policy: WebPolicy

    /// Creates options.
    public init(
        place: Place, isEncrypted: Bool, names: [String], certificate: CertificateFiles, policy: WebPolicy
    ) {
        self.place = place
        self.isEncrypted = isEncrypted
        self.names = names
        self.certificate = certificate
        self.policy = policy
    }

    /// Whether connections use TLS.
    var usesTLS: Bool {
        switch place {
        case .computer: false
        case .networks: isEncrypted
        }
    }

    /// The port, or 0 for any free port.
    var port: Int {
        switch place {
        case .computer(_, let port), .networks(let port, _): port
        }
    }

    /// Returns the addresses on which the server should listen, at most ``WebServerLimits/listenersMax``.
    func addresses(of network: LocalNetwork) -> [IPAddress] {
        switch place {
        case .computer(let address, _): return [address]
        case .networks(_, let includesPublic):
            let others = includesPublic ? network.addresses.filter { $0.scope == .global } : []
            return Array((network.privateAddresses + others).prefix(WebServerLimits.listenersMax))
        }
    }

    /// Returns the names and addresses for the certificate.
    func subject(of network: LocalNetwork) -> WebCertificate.Subject {
        WebCertificate.Subject(
            names: network.names + names.map { $0.lowercased() } + ["localhost"],
            addresses: addresses(of: network))
    }

    /// Returns the host for the page's URL: a configured name if the certificate is the user's own, otherwise
    /// the address that other devices can most likely reach.
    func urlHost(of listening: [IPAddress]) -> String? {
        if usesTLS, case .configured = certificate, let name = names.first { return name }
        func rank(_ address: IPAddress) -> Int {
            switch address.scope {
            case .privateNetwork: address.isIPv6 ? 1 : 0
            case .linkLocal: 2
            case .global: 3
            case .loopback: 4
            }
        }
        // `min` returns the first of equal addresses. Interfaces of containers come after real interfaces.
        return listening.min { rank($0) < rank($1) }?.urlHost
    }
}
