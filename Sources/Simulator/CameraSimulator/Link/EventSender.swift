import Glibc
import Synchronization

/// The event connection. It sends the camera's events in order and never blocks the camera.
final class EventSender: Sendable {
    private let socket: LinkSocket
    private let queue = Mutex<[[UInt8]]>([])
    private let wakeRead: Int32
    private let wakeWrite: Int32

    /// The maximum number of queued packets. Further packets are lost, as on a real camera.
    static let maxQueuedPackets = 65_536

    init(_ socket: LinkSocket) {
        self.socket = socket
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) == 0 {
            for end in ends {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
        }
        (wakeRead, wakeWrite) = (ends[0], ends[1])
    }

    deinit {
        close(wakeRead)
        close(wakeWrite)
    }

    func disconnect(byReset: Bool = false) { socket.disconnect(byReset: byReset) }

    /// Queues packets. An empty packet closes the connection after the packets before it.
    func post(_ packets: [[UInt8]]) {
        guard !packets.isEmpty else { return }
        queue.withLock { waiting in waiting += packets.prefix(Self.maxQueuedPackets - waiting.count) }
        var byte: UInt8 = 1
        _ = write(wakeWrite, &byte, 1)
    }

    /// Serves the connection until it closes.
    func run(_ reader: inout PacketReader) {
        while true {
            var entries = [
                pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeRead, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&entries, 2, -1) > 0 || errno == EINTR else { return }
            if entries[1].revents != 0 {
                var drained = [UInt8](repeating: 0, count: 256)
                _ = read(wakeRead, &drained, drained.count)
                let packets = queue.withLock { waiting in
                    defer { waiting = [] }
                    return waiting
                }
                for packet in packets {
                    guard !packet.isEmpty, socket.write(packet) else { return }
                }
            }
            if entries[0].revents != 0 {
                guard let packet = reader.next() else { return }
                if packet == .probeRequest { post([LinkPacket.bytes(LinkPacket.Kind.probeResponse)]) }
            }
        }
    }
}
