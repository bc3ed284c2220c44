import Glibc
import SystemIO

/// A connected Unix stream socket that is closed when it goes out of scope.
struct UnixSocket: ~Copyable {
    private let descriptor: Int32

    deinit { _ = Glibc.close(descriptor) }

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Connects to the socket file at `path`.
    ///
    /// - Parameter timeoutSeconds: The timeout of the connection, and of each later read or write.
    /// - Throws: ``ClientError/timedOut`` if the listener's backlog is full until the timeout.
    static func connect(to path: String, timeoutSeconds: Int) throws(ClientError) -> UnixSocket {
        guard path.utf8.count <= UnixAddress.pathBytesMax else {
            throw .unreachable(
                path: path, .unusable("the path is longer than \(UnixAddress.pathBytesMax) bytes"))
        }
        let descriptor: Int32
        do throws(SystemCallFailure) { descriptor = try IO.makeUnixSocket() } catch {
            throw .socketError(error.description)
        }
        let socket = UnixSocket(descriptor: descriptor)
        // The send timeout also limits connect(2), which waits while the listener's backlog is full.
        socket.setTimeout(seconds: timeoutSeconds)
        do throws(SystemCallFailure) { try IO.connect(descriptor, toUnixSocket: path) } catch {
            switch error.number {
            case ENOENT, ENOTDIR: throw .unreachable(path: path, .noSocket)
            case ECONNREFUSED: throw .unreachable(path: path, .noListener)
            case EACCES, EPERM: throw .noPermission(path: path)
            case EAGAIN: throw .timedOut
            default: throw .unreachable(path: path, .unusable(error.description))
            }
        }
        return socket
    }

    /// Sets the timeout of each later read or write.
    func setTimeout(seconds: Int) {
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
    }

    /// Sends all bytes. A closed connection is not an error here, because the peer may already have sent its
    /// response.
    func send(_ bytes: [UInt8]) throws(ClientError) {
        do throws(SystemCallFailure) { try IO.sendAll(bytes, to: descriptor) } catch {
            switch error.number {
            case EPIPE, ECONNRESET: return
            case EAGAIN: throw .timedOut
            default: throw .socketError(error.description)
            }
        }
    }

    /// Waits until at least one byte is available, and reads the available bytes.
    ///
    /// - Returns: The number of bytes at the start of `buffer`, or 0 at the end of the stream.
    func receive(into buffer: inout [UInt8]) throws(ClientError) -> Int {
        do throws(SystemCallFailure) { return try IO.receive(from: descriptor, into: &buffer) } catch {
            switch error.number {
            case ECONNRESET: return 0
            case EAGAIN: throw .timedOut
            default: throw .socketError(error.description)
            }
        }
    }
}
