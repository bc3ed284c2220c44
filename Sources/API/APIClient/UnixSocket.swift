import Glibc

/// A connected Unix stream socket that is closed when it goes out of scope.
struct UnixSocket: ~Copyable {
    /// The longest path, in bytes: `sun_path` holds 108 bytes including the terminating null (unix(7)).
    static let pathBytesMax = 107

    private let descriptor: Int32

    deinit { _ = Glibc.close(descriptor) }

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Connects to the socket file at `path`.
    ///
    /// - Parameter timeoutSeconds: The timeout of each later read or write.
    static func connect(to path: String, timeoutSeconds: Int) throws(ClientError) -> UnixSocket {
        guard path.utf8.count <= pathBytesMax else {
            throw .unreachable(path: path, .unusable("the path is longer than \(pathBytesMax) bytes"))
        }
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .socketError(errorText()) }
        let socket = UnixSocket(descriptor: descriptor)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            switch errno {
            case ENOENT, ENOTDIR: throw .unreachable(path: path, .noSocket)
            case ECONNREFUSED: throw .unreachable(path: path, .noListener)
            case EACCES, EPERM: throw .noPermission(path: path)
            default: throw .unreachable(path: path, .unusable(errorText()))
            }
        }
        socket.setTimeout(seconds: timeoutSeconds)
        return socket
    }

    /// Sets the timeout of each later read or write.
    func setTimeout(seconds: Int) {
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
    }

    /// Sends all bytes. A closed peer is not an error here, because it may have sent its answer already.
    func send(_ bytes: [UInt8]) throws(ClientError) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 { sent += count; continue }
            switch errno {
            case EINTR: continue
            case EPIPE, ECONNRESET: return
            case EAGAIN: throw .timedOut
            default: throw .socketError(Self.errorText())
            }
        }
    }

    /// Reads the available bytes; waits until at least one byte is available.
    ///
    /// - Returns: The number of bytes at the start of `buffer`, or 0 at the end of the stream.
    func receive(into buffer: inout [UInt8]) throws(ClientError) -> Int {
        while true {
            let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            case ECONNRESET: return 0
            case EAGAIN: throw .timedOut
            default: throw .socketError(Self.errorText())
            }
        }
    }

    private static func errorText() -> String { String(cString: strerror(errno)) }
}
