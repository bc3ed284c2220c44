import Glibc
import SystemIO

/// A writer of replies. The writer sends data packets directly from the photo's memory, in one system call if
/// possible.
struct ReplyWriter {
    let socket: LinkSocket
    /// The maximum payload of a data packet, in bytes.
    let packetBytes: Int
    /// The speed of a slow link, in bytes per second, or `nil` for full speed.
    let bytesPerSecond: Int?

    /// Sends the data and the response.
    ///
    /// - Returns: `false` if the client or a fault closed the connection.
    func send(_ reply: PTPReply, transaction: UInt32) -> Bool {
        let response = ByteRope(LinkPacket.response(reply, transaction: transaction))
        guard let data = reply.data else { return write(response) }
        var total = data.count
        var out = ByteRope()
        var packets = data
        var packetBytes = packetBytes
        if case .extraData(let bytes) = reply.linkFault {
            // The extra bytes are part of the announced data packet, because clients ignore an extra packet.
            packets.append(ByteRope([UInt8](repeating: 0x5A, count: bytes)))
            packetBytes = packets.count
        }
        if case .drop(let limit, _) = reply.linkFault { packets = data.slice(0..<limit) }
        out.append(
            ByteRope(
                LinkPacket.bytes(LinkPacket.Kind.startData) {
                    $0.u32(transaction)
                    $0.u64(UInt64(total))
                }))
        var start = 0
        repeat {
            let payload = packets.slice(start..<start + packetBytes)
            start += packetBytes
            // The header of a truncated packet announces the length of the complete packet.
            let announced = packets.count < total ? min(packetBytes, total) : payload.count
            total -= payload.count
            var header = ByteWriter(capacity: 12)
            header.u32(UInt32(announced + 12))
            header.u32(
                start < packets.count || packets.count < data.count
                    ? LinkPacket.Kind.data : LinkPacket.Kind.endData)
            header.u32(transaction)
            out.append(ByteRope(header.bytes))
            out.append(payload)
        } while start < packets.count
        if case .drop(_, let isReset) = reply.linkFault {
            _ = write(out)
            socket.disconnect(byReset: isReset)
            return false
        }
        out.append(response)
        return write(out)
    }

    private func write(_ rope: ByteRope) -> Bool {
        guard let pace = bytesPerSecond.map(LinkPace.init(bytesPerSecond:)) else { return writeNow(rope) }
        // All times count from the start of the reply, because the errors of single pauses must not add up.
        let start = SystemTime.monotonicNs
        var end = 0
        while end < rope.count {
            let slice = rope.slice(end..<end + pace.sliceBytes)
            end += slice.count
            Self.pause(untilNs: start + pace.nanoseconds(for: end))
            guard writeNow(slice) else { return false }
        }
        return true
    }

    /// The delay with which the kernel may wake a thread (PR_SET_TIMERSLACK), in nanoseconds. The writer
    /// skips shorter pauses.
    private static let timerSlackNs: UInt64 = 50_000

    private static func pause(untilNs time: UInt64) {
        guard time > SystemTime.monotonicNs + timerSlackNs else { return }
        var moment = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, nil) == EINTR {}
    }

    private func writeNow(_ rope: ByteRope) -> Bool {
        var vector = rope.pieces.map {
            iovec(iov_base: UnsafeMutableRawPointer(mutating: $0.start), iov_len: $0.count)
        }
        return withExtendedLifetime(rope) { socket.write(&vector) }
    }
}
