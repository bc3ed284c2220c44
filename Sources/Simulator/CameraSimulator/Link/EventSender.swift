import Glibc
import Synchronization
import SystemIO

/// A sender of events on the event connection. The sender keeps the order of the events and never blocks the
/// camera.
final class EventSender: Sendable {
    private let socket: LinkSocket
    private let queue = Mutex<[[UInt8]]>([])
    private let wake = try? WakeDescriptor()

    /// The maximum number of queued packets. Further packets are lost, as on a real camera.
    static let maxQueuedPackets = 65_536

    init(_ socket: LinkSocket) { self.socket = socket }

    func disconnect(byReset: Bool = false) { socket.disconnect(byReset: byReset) }

    /// Queues packets. An empty packet closes the connection after all preceding packets are sent.
    func post(_ packets: [[UInt8]]) {
        guard !packets.isEmpty else { return }
        queue.withLock { waiting in waiting += packets.prefix(Self.maxQueuedPackets - waiting.count) }
        wake?.signal()
    }

    /// Serves the connection until it closes.
    func run(_ reader: inout PacketReader) {
        while true {
            var entries = [
                pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            guard (try? IO.poll(&entries, milliseconds: -1)) != nil else { return }
            if entries[1].revents != 0 {
                wake?.reset()
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
