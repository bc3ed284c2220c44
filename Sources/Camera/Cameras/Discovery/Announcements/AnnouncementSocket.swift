import Glibc

/// A UDP socket on one of the host's networks, for one announcement protocol.
final class AnnouncementSocket {
    /// The announcement protocol.
    enum Kind { case multicastDNS, serviceSearch }

    /// The maximum datagram size, in bytes. Longer datagrams are truncated. Ethernet's 1,500 bytes and jumbo
    /// frames fit.
    private static let datagramMax = 9_000

    let kind: Kind
    let descriptor: Int32

    /// Opens the socket. Returns `nil` if a system call fails, for example on a network that is going down.
    init?(_ kind: Kind, on network: HostNetwork) {
        self.kind = kind
        descriptor = socket(
            AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var interface = in_addr(s_addr: network.address.bits.bigEndian)
        var hops = kind == .multicastDNS ? MulticastDNS.hops : ServiceSearch.hops
        var own = sockaddr_in(NetworkAddress(host: network.address, port: 0))
        let isReady =
            setsockopt(
                descriptor, Int32(IPPROTO_IP), IP_MULTICAST_IF, &interface,
                socklen_t(MemoryLayout<in_addr>.size)) == 0
            && setsockopt(
                descriptor, Int32(IPPROTO_IP), IP_MULTICAST_TTL, &hops, socklen_t(MemoryLayout<Int32>.size))
                == 0
            && own.withPointer { bind(descriptor, $0, $1) } == 0
        // deinit closes the descriptor.
        guard isReady else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Sends a query to the multicast group. Ignores send errors, because no camera can respond on a network
    /// that rejects the query.
    func send(_ query: [UInt8]) {
        var group = sockaddr_in(kind == .multicastDNS ? MulticastDNS.group : ServiceSearch.group)
        _ = group.withPointer {
            sendto(descriptor, query, query.count, Int32(MSG_NOSIGNAL), $0, $1)
        }
    }

    /// Receives the next datagram and its sender, or returns `nil` if no datagram is waiting.
    func receive() -> (bytes: [UInt8], sender: IPv4Address)? {
        var buffer = [UInt8](repeating: 0, count: Self.datagramMax)
        var sender = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let count = withUnsafeMutablePointer(to: &sender) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                recvfrom(descriptor, &buffer, buffer.count, 0, $0, &size)
            }
        }
        guard count > 0 else { return nil }
        return (Array(buffer[..<count]), IPv4Address(bits: UInt32(bigEndian: sender.sin_addr.s_addr)))
    }
}

extension sockaddr_in {
    /// Creates a socket address from a network address.
    init(_ address: NetworkAddress) {
        self.init()
        sin_family = sa_family_t(AF_INET)
        sin_port = address.port.bigEndian
        sin_addr.s_addr = address.host.bits.bigEndian
    }

    /// Calls `body` with a pointer to the generic socket address.
    mutating func withPointer<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: &self) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
