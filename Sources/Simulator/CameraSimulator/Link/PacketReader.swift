/// A reader that splits the bytes of a connection into packets, with as few reads as possible.
struct PacketReader: ~Copyable {
    private let socket: LinkSocket
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
    private var pending: [UInt8] = []

    init(_ socket: LinkSocket) { self.socket = socket }

    deinit { buffer.deallocate() }

    /// Returns the next packet, or `nil` if the connection has ended or the data is not a packet.
    mutating func next() -> LinkPacket? {
        while true {
            if pending.count >= LinkPacket.headerBytes {
                var reader = ByteReader(pending.prefix(LinkPacket.headerBytes))
                guard let length = reader.u32().map(Int.init), let type = reader.u32(),
                    (LinkPacket.headerBytes...LinkPacket.bytesMax).contains(length)
                else { return nil }
                if pending.count >= length {
                    let packet = LinkPacket(type: type, payload: pending[LinkPacket.headerBytes..<length])
                    pending.removeFirst(length)
                    return packet
                }
            }
            let count = socket.read(into: buffer)
            guard count > 0 else { return nil }
            pending.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[0..<count]))
        }
    }
}
