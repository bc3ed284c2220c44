import Glibc

/// A minimal PTP/IP client, which reads bytes and discards them.
struct RawClient: ~Copyable {
    private var command: ReceiveBuffer
    private var events: ReceiveBuffer
    private var transaction: UInt32 = 0

    private init(command: consuming ReceiveBuffer, events: consuming ReceiveBuffer) {
        self.command = command
        self.events = events
    }

    /// Connects to a camera and opens a session.
    static func open(address: String, port: UInt16) throws(ReadFailure) -> RawClient {
        var command = ReceiveBuffer(try Self.connect(address, port))
        var hello = Array("ptpip-read-bench".utf8)
        for unit in "bench".utf16 { hello += Self.little(unit) }
        hello += Self.little(UInt16(0)) + Self.little(UInt32(0x0001_0000))
        try Self.send(command.descriptor, 1, hello)
        let (type, length) = try Self.header(&command)
        guard type == 2 else { throw ReadFailure("the camera refuses the connection") }
        let ack = try command.read(length)
        var events = ReceiveBuffer(try Self.connect(address, port))
        try Self.send(events.descriptor, 3, Array(ack[0..<4]))
        let (eventType, eventLength) = try Self.header(&events)
        guard eventType == 4, eventLength == 0 else {
            throw ReadFailure("the camera refuses the event connection")
        }
        var client = RawClient(command: command, events: events)
        _ = try client.transact(0x1002, [1])
        return client
    }

    /// Returns the handles of all objects on the card.
    mutating func handles() throws(ReadFailure) -> [UInt32] {
        let data = try transact(0x1007, [0xFFFF_FFFF, 0, 0])
        return stride(from: 4, to: data.count - 3, by: 4).map { Self.integer(data, $0) }
    }

    /// Waits for the next new object and returns its handle.
    mutating func nextAdded() throws(ReadFailure) -> UInt32 {
        while true {
            let (type, length) = try Self.header(&events)
            let payload = try events.read(length)
            if type == 8, payload.count >= 10, payload[0] == 0x02, payload[1] == 0x40 {
                return Self.integer(payload, 6)
            }
        }
    }

    /// Returns the size of a file in bytes, or `nil` for a folder.
    mutating func size(of handle: UInt32) throws(ReadFailure) -> Int? {
        let info = try transact(0x1008, [handle])
        guard info.count >= 12 else { throw ReadFailure("the object info is too short") }
        return info[4] == 0x01 && info[5] == 0x30 ? nil : Int(Self.integer(info, 8) as UInt32)
    }

    /// Reads a file completely and returns the number of bytes.
    ///
    /// - Parameter piece: The number of bytes in a request with GetPartialObject, or `nil` to read the whole
    ///   file with GetObject.
    mutating func read(_ handle: UInt32, size: Int, piece: Int?) throws(ReadFailure) -> Int {
        guard let piece else { return try drain(0x1009, [handle]) }
        var total = 0
        while total < size {
            let count = try drain(0x101B, [handle, UInt32(total), UInt32(min(piece, size - total))])
            guard count > 0 else { throw ReadFailure("the camera gave 0 bytes at \(total)") }
            total += count
        }
        return total
    }

    private mutating func request(_ code: UInt16, _ parameters: [UInt32]) throws(ReadFailure) {
        transaction += 1
        var bytes = Self.little(UInt32(1)) + Self.little(code) + Self.little(transaction)
        for parameter in parameters { bytes += Self.little(parameter) }
        try Self.send(command.descriptor, 6, bytes)
    }

    private mutating func transact(_ code: UInt16, _ parameters: [UInt32]) throws(ReadFailure) -> [UInt8] {
        try request(code, parameters)
        var data: [UInt8] = []
        while true {
            let (type, length) = try Self.header(&command)
            let payload = try command.read(length)
            if type == 10 || type == 12 { data += payload.dropFirst(4) }
            if type == 7 {
                try Self.check(payload, code)
                return data
            }
        }
    }

    private mutating func drain(_ code: UInt16, _ parameters: [UInt32]) throws(ReadFailure) -> Int {
        try request(code, parameters)
        var total = 0
        while true {
            let (type, length) = try Self.header(&command)
            if type == 10 || type == 12 {
                try command.skip(length)
                total += length - 4
            } else {
                let payload = try command.read(length)
                if type == 7 {
                    try Self.check(payload, code)
                    return total
                }
            }
        }
    }

    private static func check(_ response: [UInt8], _ code: UInt16) throws(ReadFailure) {
        guard response.count >= 2, response[0] == 0x01, response[1] == 0x20 else {
            throw ReadFailure("the camera refuses operation 0x\(String(code, radix: 16))")
        }
    }

    private static func header(_ buffer: inout ReceiveBuffer) throws(ReadFailure) -> (
        type: UInt32, length: Int
    ) {
        let bytes = try buffer.read(8)
        let length: UInt32 = integer(bytes, 0)
        guard length >= 8 else {
            throw ReadFailure("a packet announces \(length) bytes, fewer than its header of 8 bytes")
        }
        return (integer(bytes, 4), Int(length) - 8)
    }

    private static func send(_ descriptor: Int32, _ type: UInt32, _ payload: [UInt8]) throws(ReadFailure) {
        let bytes = little(UInt32(payload.count + 8)) + little(type) + payload
        guard write(descriptor, bytes, bytes.count) == bytes.count else {
            throw ReadFailure("cannot send a packet to the camera")
        }
    }

    private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    private static func integer(_ bytes: [UInt8], _ at: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[at + $1]) << UInt32(8 * $1) }
    }

    private static func connect(_ address: String, _ port: UInt16) throws(ReadFailure) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        inet_pton(AF_INET, address, &name.sin_addr)
        let isConnected = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw ReadFailure("cannot connect to \(address):\(port)") }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        return descriptor
    }
}
