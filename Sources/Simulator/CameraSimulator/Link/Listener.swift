import Glibc
import SystemIO

/// A factory for listening TCP sockets.
enum Listener {
    static func open(
        _ address: String, _ port: UInt16
    ) throws(SimulatorError) -> (descriptor: Int32, port: UInt16) {
        func failure() -> SimulatorError {
            .socket(address: "\(address):\(port)", reason: String(cString: strerror(errno)))
        }
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        guard inet_pton(AF_INET, address, &name.sin_addr) == 1 else {
            throw .socket(address: "\(address):\(port)", reason: "it is not an IPv4 address")
        }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw failure() }
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, size) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, generic, &size) == 0
            }
        }
        guard bound else {
            let error = failure()
            close(descriptor)
            throw error
        }
        return (descriptor, UInt16(bigEndian: name.sin_port))
    }
}

extension SystemCallFailure {
    /// Whether a call failed only because descriptors or memory are used up. A later call may succeed.
    var isShortage: Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(number) }
}
