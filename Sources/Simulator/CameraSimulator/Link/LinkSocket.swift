import Glibc
import Synchronization
import SystemIO

/// A connected TCP or Unix socket. One thread reads from the socket. Any thread may disconnect the socket.
final class LinkSocket: Sendable {
    let descriptor: Int32
    private let isEnded = Mutex(false)

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(descriptor) }

    /// Shuts down the connection. All pending reads and writes fail. `deinit` closes the descriptor.
    func disconnect(byReset: Bool = false) {
        isEnded.withLock { ended in
            guard !ended else { return }
            ended = true
            if byReset {
                // Connecting to AF_UNSPEC sends RST, even while another thread uses the socket.
                var nowhere = sockaddr()
                nowhere.sa_family = sa_family_t(AF_UNSPEC)
                connect(descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
            }
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }

    /// Waits for data or the end of the connection.
    ///
    /// - Returns: Whether data or the end of the connection can be read.
    func waitReadable(milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }

    /// Waits until the peer hangs up or the time is up, and returns whether the peer has hung up.
    func waitHungUp(milliseconds: Int32) -> Bool {
        let hangUp: Int16 = 0x2000  // POLLRDHUP
        var entry = pollfd(fd: descriptor, events: hangUp, revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }

    /// Reads the available bytes, at most `buffer.count`. Returns 0 at the end of the connection or
    /// on an error.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        (try? IO.receive(from: descriptor, into: buffer)) ?? 0
    }

    /// Writes all bytes.
    ///
    /// - Returns: `false` if the connection is closed.
    func write(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var vector = [
                iovec(iov_base: UnsafeMutableRawPointer(mutating: buffer.baseAddress), iov_len: buffer.count)
            ]
            return write(&vector)
        }
    }

    /// Writes all parts in as few system calls as possible, and consumes `vector`.
    func write(_ vector: inout [iovec]) -> Bool {
        vector.withUnsafeMutableBufferPointer { all in
            var first = 0
            while first < all.count {
                guard let base = all.baseAddress else { return true }
                var message = msghdr()
                message.msg_iov = base + first
                message.msg_iovlen = min(all.count - first, Self.piecesMax)
                guard
                    let sent = try? IO.retrying({ sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL)) })
                else { return false }
                var left = sent
                while first < all.count && left >= all[first].iov_len {
                    left -= all[first].iov_len
                    first += 1
                }
                if left > 0 {
                    all[first].iov_base += left
                    all[first].iov_len -= left
                }
            }
            return true
        }
    }

    /// The value of IOV_MAX on Linux.
    private static let piecesMax = 1024
}
