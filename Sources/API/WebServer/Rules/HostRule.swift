import APIServer

/// The hosts under which a browser may request the page.
///
/// A page of another server can let its own name resolve to this computer (DNS rebinding). The Host header of
/// the request then contains that name. The server therefore accepts no names except this computer's
/// names, the configured names, and `localhost` on the loopback interface. An IP address cannot be rebound,
/// so the server also accepts the address that the browser connected to.
struct HostRule: Hashable, Sendable {
    /// The accepted names, in lower case.
    let names: Set<String>

    /// Creates a rule with the names of this computer and the configured names.
    init(network: LocalNetwork, configured: [String]) {
        names = Set((network.names + configured).map { $0.lowercased() })
    }

    /// Returns whether a request with this authority is meant for this server.
    func allows(_ authority: RequestAuthority, from peer: WebPeer) -> Bool {
        if let address = IPAddress(authority.host) {
            return address == peer.local && authority.isBracketed == address.isIPv6
        }
        guard !authority.isBracketed else { return false }
        if authority.host == "localhost" { return peer.local.scope == .loopback }
        return names.contains(authority.host)
    }
}
