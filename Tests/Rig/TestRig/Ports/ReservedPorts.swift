import Glibc

/// Consecutive TCP ports of loopback addresses that are reserved while this object exists.
///
/// The object binds each port without listening. Connections are refused until a server listens on the port.
/// The kernel never assigns a bound port to another program. A server of the test can also bind the port,
/// because this object and all test servers set `SO_REUSEADDR`. The reservation continues while the server is
/// stopped and restarted.
public final class ReservedPorts: Sendable {
    /// The lowest port number.
    public let first: Int
    private let descriptors: [Int32]

    /// The number of attempts to find consecutive ports.
    private static let attemptsMax = 100

    /// Reserves ports that no other program uses.
    ///
    /// - Parameters:
    ///   - count: The number of consecutive ports.
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

    /// Binds a port that the kernel chooses, and the following ports.
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
        // Sets the option after bind(2). With the option, bind(2) would accept a port that another test has
        // reserved.
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
