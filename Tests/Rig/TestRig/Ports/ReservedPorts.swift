import Glibc

/// Consecutive TCP ports of loopback addresses that a test reserves as long as this object exists.
///
/// The object binds each port and does not listen on it. Until a server listens there, connections are
/// refused. The kernel gives a bound port to no other program. It lets a server of the test bind the port as
/// well, because this object and the server both set `SO_REUSEADDR`, as every server of the tests does. The
/// reservation lasts while the server is stopped and started again.
public final class ReservedPorts: Sendable {
    /// The lowest port number.
    public let first: Int
    private let descriptors: [Int32]

    /// The number of attempts to find ports in a row.
    private static let attemptsMax = 100

    /// Reserves ports that no other program uses.
    ///
    /// - count: The number of consecutive ports.
    ///   - hosts: The loopback addresses at which the ports are reserved.
    public init(_ count: Int = 1, at hosts: [String] = ["127.0.0.1"]) throws {
        for _ in 0..<Self.attemptsMax {
            if let bound = Self.bind(count, hosts) {
                (first, descriptors) = bound
                return
            }
        }
        throw WaitTimeout(description: "\(count) free ports in a row at \(hosts.joined(separator: " and "))")
    }

    deinit { for descriptor in descriptors { close(descriptor) } }

    /// The kernel chooses the first port; the other ports follow it.
    private static func bind(_ count: Int, _ hosts: [String]) -> (first: Int, descriptors: [Int32])? {
        var descriptors: [Int32] = []
        var first = 0
        for host in hosts {
            for offset in 0..<count {
                guard let port = UInt16(exactly: first == 0 ? 0 : first + offset),
                    let bound = bind(host, port)
                else {
                    for descriptor in descriptors { close(descriptor) }
                    return nil
                }
                descriptors.append(bound.descriptor)
                if first == 0 { first = bound.port }
            }
        }
        return (first, descriptors)
    }

    private static func bind(_ host: String, _ port: UInt16) -> (port: Int, descriptor: Int32)? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr(host)
        address.sin_port = port.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        // Only now: with this option, bind(2) would also take a port that another test has reserved.
        var yes: Int32 = 1
        guard isBound,
            setsockopt(
                descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size)) == 0
        else {
            if descriptor >= 0 { close(descriptor) }
            return nil
        }
        return (Int(UInt16(bigEndian: address.sin_port)), descriptor)
    }
}
