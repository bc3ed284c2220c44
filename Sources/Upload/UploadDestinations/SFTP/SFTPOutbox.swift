import Dispatch
import Glibc
import Synchronization
import SystemIO
import SystemPackage

/// The outgoing packets of an SFTP session. The sending thread writes as many bytes as the socket accepts. A
/// separate thread waits until the socket accepts more bytes, and writes the remaining bytes. The outbox
/// joins the packets of one call of ``send(_:)`` if their total size is small.
final class SFTPOutbox: Sendable {
    private struct State {
        var waiting: [[UInt8]] = []
        /// The number of sent bytes of the first queued packet.
        var sent = 0
        /// Whether the separate thread is waiting for the socket. If `true`, new packets are only queued.
        var isFull = false
        /// Whether the socket is closed. If `true`, the descriptor's number may belong to a different file.
        var isClosed = false
    }

    /// The interval at which the waiting thread checks for the end of the session, in milliseconds.
    private static let waitMs: Int32 = 1_000

    /// The largest total size of packets that are joined, in bytes. Requests without photo data are smaller.
    private static let joinedBytesMax = 16 << 10

    private let socket: FileDescriptor
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "framefast.sftp-write")

    /// Creates an outbox that owns `socket`.
    init(socket: FileDescriptor) { self.socket = socket }

    /// Sends packets in order, without waiting.
    func send(_ packets: [[UInt8]]) {
        let mustWait = state.withLock { state -> Bool in
            guard !state.isClosed else { return false }
            state.waiting += Self.joined(packets)
            guard !state.isFull else { return false }
            state.isFull = !flush(&state)
            return state.isFull
        }
        if mustWait { queue.async { self.sendWaitingPackets() } }
    }

    /// Shuts down both directions, which ends the reading thread. Does nothing after ``close()``.
    func shutDown() {
        state.withLock { if !$0.isClosed { _ = shutdown(socket.rawValue, Int32(SHUT_RDWR)) } }
    }

    /// Closes the socket.
    func close() {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.isClosed = true
            state.waiting = []
            try? socket.close()
        }
    }

    /// Returns the packets, joined into one packet if their total size is small. Large packets with photo
    /// data are not copied.
    private static func joined(_ packets: [[UInt8]]) -> [[UInt8]] {
        let count = packets.reduce(0) { $0 + $1.count }
        guard packets.count > 1, count <= joinedBytesMax else { return packets }
        var all: [UInt8] = []
        all.reserveCapacity(count)
        for packet in packets { all += packet }
        return [all]
    }

    private func sendWaitingPackets() {
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

    /// Writes queued packets until the socket accepts no more bytes.
    ///
    /// - Returns: Whether the queue is empty. After a broken connection, the packets are dropped, and the
    ///   reading thread detects the error.
    private func flush(_ state: inout State) -> Bool {
        while let packet = state.waiting.first {
            let result = packet[state.sent...].withUnsafeBytes { bytes -> Result<Int, SystemCallFailure> in
                Result { () throws(SystemCallFailure) in
                    try IO.send(bytes, to: socket.rawValue, flags: Int32(MSG_DONTWAIT))
                }
            }
            if case .failure(let failure) = result, failure.number == EAGAIN { return false }
            guard case .success(let count) = result, count > 0 else {
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
