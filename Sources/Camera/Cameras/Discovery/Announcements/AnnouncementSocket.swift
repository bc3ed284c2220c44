import Glibc

/// A UDP socket on one of the host's networks, for one kind of announcement.
final class AnnouncementSocket {
    /// Who is asked, and so how answers are read.
    enum Kind { case multicastDNS, serviceSearch }

    /// Bytes of a datagram that are taken; what is longer is cut. Ethernet's 1,500, and room for jumbo frames.
    private static let datagramMax = 9_000

    let kind: Kind
    let descriptor: Int32

    /// Opens it; `nil` when the system does not let us, as on a network that is just going.
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
        // deinit closes it.
        guard isReady else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Sends a question to the group. A network that takes none has no camera to answer.
    func ask(_ question: [UInt8]) {
        var group = sockaddr_in(kind == .multicastDNS ? MulticastDNS.group : ServiceSearch.group)
        _ = group.withPointer {
            sendto(descriptor, question, question.count, Int32(MSG_NOSIGNAL), $0, $1)
        }
    }

    /// The next datagram and its sender; `nil` when none waits.
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
    /// The system's form of an address.
    init(_ address: NetworkAddress) {
        self.init()
        sin_family = sa_family_t(AF_INET)
        sin_port = address.port.bigEndian
        sin_addr.s_addr = address.host.bits.bigEndian
    }

    /// Lends itself to a call that takes any kind of address.
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
