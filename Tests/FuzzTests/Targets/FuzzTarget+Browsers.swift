import APIServer
import WebPairing

@testable import WebServer

extension FuzzTarget {
    /// Parses the headers of a browser. The input has a host, a cookie and a path, one a line.
    static func browsers(_ bytes: [UInt8]) {
        let lines = bytes.asText.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        func line(_ index: Int) -> String { index < lines.count ? lines[index] : "" }
        let network = LocalNetwork(hostName: LocalNetwork.label(of: line(2)), addresses: [.loopback])
        let peer = WebPeer(remote: .loopback, local: .loopback, isEncrypted: true)
        if let authority = RequestAuthority(line(0)),
            HostRule(network: network, configured: []).allows(authority, from: peer)
        {
            let names = ["localhost"] + network.names
            precondition(
                IPAddress(authority.host) == .loopback || names.contains(authority.host),
                "a host that is not allowed: \(authority.host)")
        }
        if let address = IPAddress(line(0)) {
            precondition(IPAddress(address.description) == address, "the text is another address: \(address)")
        }
        for isEncrypted in [true, false] {
            _ = TokenCookie(isEncrypted: isEncrypted).token(inHeader: line(1)).map { DeviceToken($0) }
        }
        _ = EndpointMatch(method: "GET", path: line(2))
    }
}
