import Glibc
import Synchronization

/// Ports of 127.0.0.1, for servers of a test's own.
public enum LoopbackPort {
    /// Ports that this process has given to a test: its server may not listen yet.
    private static let given = Mutex<Set<Int>>([])
    /// Where free ports are looked for: below those that the system gives to whoever connects or asks for any.
    private static let range = 10_000..<20_000
    /// Attempts at a port that nobody has.
    private static let attemptsMax = 1000

    /// A port that nobody has now, and that no other test of this process gets.
    public static func free() throws -> Int {
        for _ in 0..<attemptsMax {
            let port = Int.random(in: range)
            if take(port..<port + 1), (try? ClosedPort(port)) != nil { return port }
        }
        throw Impatience(description: "no port is free")
    }

    /// Gives ports to a test.
    ///
    /// - Returns: Whether no other test of this process has one of them.
    public static func take(_ ports: Range<Int>) -> Bool {
        given.withLock { given in
            guard given.isDisjoint(with: ports) else { return false }
            given.formUnion(ports)
            return true
        }
    }

    /// Whether something listens on a port of a loopback address.
    public static func accepts(_ port: Int, at host: String = "127.0.0.1") -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = address(UInt16(port), host)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    fileprivate static func address(_ port: UInt16, _ host: String = "127.0.0.1") -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr(host)
        address.sin_port = port.bigEndian
        return address
    }
}

/// A port of 127.0.0.1 on which nobody listens, as long as this lives: connections to it are refused.
public struct ClosedPort: ~Copyable {
    /// Its number.
    public let number: Int
    private let descriptor: Int32

    /// - Parameter wanted: 0 for any.
    /// - Throws: when somebody has it.
    public init(_ wanted: Int = 0) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = LoopbackPort.address(UInt16(wanted))
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else {
            close(descriptor)
            throw Impatience(description: "port \(wanted) is not free")
        }
        self.descriptor = descriptor
        number = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(descriptor) }
}
