import Glibc
import SystemIO

/// A non-blocking TCP connection.
struct ProbeSocket {
    /// The maximum number of bytes per read.
    private static let readBytes = 16 * 1024

    let descriptor: Int32
    private(set) var isConnecting = true
    private var outgoing: [UInt8] = []

    /// The result of a read.
    enum Reading {
        case bytes([UInt8])
        case nothing
        case closed
    }

    /// Starts to connect. Fails with the `errno` of the failed call.
    static func connect(to address: NetworkAddress) -> Result<ProbeSocket, SystemCallFailure> {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { return .failure(SystemCallFailure(number: errno)) }
        var on: Int32 = 1
        setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        var name = sockaddr_in(address)
        let status = name.withPointer { Glibc.connect(descriptor, $0, $1) }
        // `poll` also reports a connection that is established immediately.
        if status == 0 || errno == EINPROGRESS { return .success(ProbeSocket(descriptor: descriptor)) }
        let reason = errno
        close(descriptor)
        return .failure(SystemCallFailure(number: reason))
    }

    private init(descriptor: Int32) { self.descriptor = descriptor }

    /// The events to poll for.
    var interest: Int16 {
        isConnecting ? Int16(POLLOUT) : Int16(POLLIN) | (outgoing.isEmpty ? 0 : Int16(POLLOUT))
    }

    /// Returns the result of the connection attempt. Call this after `poll` has reported an event.
    ///
    /// - Returns: 0 if the connection is established, or an `errno`.
    mutating func finishConnecting() -> Int32 {
        var reason: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &reason, &size) == 0 else { return errno }
        isConnecting = reason != 0
        return reason
    }

    /// Sends bytes immediately, or after the next `poll` if the socket buffer is full.
    mutating func send(_ bytes: [UInt8]) {
        outgoing += bytes
        flush()
    }

    /// Sends the queued bytes. Ignores errors, because the next read reports a broken connection.
    mutating func flush() {
        while !outgoing.isEmpty {
            guard let count = try? IO.send(outgoing, to: descriptor), count > 0 else { return }
            outgoing.removeFirst(count)
        }
    }

    func read() -> Reading {
        var buffer = [UInt8](repeating: 0, count: Self.readBytes)
        do throws(SystemCallFailure) {
            let count = try IO.receive(from: descriptor, into: &buffer)
            return count > 0 ? .bytes(Array(buffer[..<count])) : .closed
        } catch { return error.number == EAGAIN ? .nothing : .closed }
    }
}
