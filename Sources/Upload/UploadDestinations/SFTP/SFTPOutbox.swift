import Dispatch
import Glibc
import Synchronization
import SystemPackage

/// What is sent to a server: at once as far as the socket has room, by whoever sends it, and the rest by a thread that
/// waits for room. Small packets that are sent together go in one call.
final class SFTPOutbox: Sendable {
    private struct State {
        var waiting: [[UInt8]] = []
        /// Bytes of the first one that are sent.
        var sent = 0
        /// Whether the queue waits for room: what comes goes behind.
        var isFull = false
        /// From then on the number of the socket may be someone else's.
        var isClosed = false
    }

    /// Longest wait for room before the end is looked for, in milliseconds.
    private static let waitMs: Int32 = 1_000

    /// Packets that are joined have no more than this together: requests without a photo's bytes.
    private static let joinedBytesMax = 16 << 10

    private let socket: FileDescriptor
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "framefast.sftp-write")

    /// Takes over `socket`.
    init(socket: FileDescriptor) { self.socket = socket }

    /// Sends packets in their order. Never waits.
    func send(_ packets: [[UInt8]]) {
        let mustWait = state.withLock { state -> Bool in
            guard !state.isClosed else { return false }
            state.waiting += Self.joined(packets)
            guard !state.isFull else { return false }
            state.isFull = !flush(&state)
            return state.isFull
        }
        if mustWait { queue.async { self.sendRest() } }
    }

    /// Ends both directions: who reads sees the end. Nothing after ``close()``.
    func shutDown() {
        state.withLock { if !$0.isClosed { _ = shutdown(socket.rawValue, Int32(SHUT_RDWR)) } }
    }

    /// Gives the socket back.
    func close() {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.isClosed = true
            state.waiting = []
            try? socket.close()
        }
    }

    /// One packet for one call; those that hold a photo's bytes are not copied for that.
    private static func joined(_ packets: [[UInt8]]) -> [[UInt8]] {
        let count = packets.reduce(0) { $0 + $1.count }
        guard packets.count > 1, count <= joinedBytesMax else { return packets }
        var all: [UInt8] = []
        all.reserveCapacity(count)
        for packet in packets { all += packet }
        return [all]
    }

    private func sendRest() {
        while true {
            var descriptor = pollfd(fd: socket.rawValue, events: Int16(POLLOUT), revents: 0)
            _ = poll(&descriptor, 1, Self.waitMs)
            let isDone = state.withLock { state in
                guard !state.isClosed else { return true }
                state.isFull = !flush(&state)
                return !state.isFull
            }
            if isDone { return }
        }
    }

    /// - Returns: Whether everything is sent, or nobody takes it any more: who reads sees that as well.
    private func flush(_ state: inout State) -> Bool {
        while let packet = state.waiting.first {
            let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
            let count = packet[state.sent...].withUnsafeBytes {
                Glibc.send(socket.rawValue, $0.baseAddress, $0.count, flags)
            }
            if count < 0 && errno == EINTR { continue }
            if count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) { return false }
            guard count > 0 else {
                state.waiting = []
                state.sent = 0
                return true
            }
            state.sent += count
            guard state.sent == packet.count else { continue }
            state.waiting.removeFirst()
            state.sent = 0
        }
        return true
    }
}
