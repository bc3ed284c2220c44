@testable import GPhoto2

/// A builder of PTP/IP and USB packets, in the format that a driver passes to its log function.
struct PacketWriter {
    private(set) var bytes: [UInt8] = []

    init(_ words: Word...) {
        for word in words { word.append(to: &bytes) }
    }

    /// A little-endian number, or bytes.
    enum Word {
        case u16(UInt16)
        case u32(UInt32)
        case u64(UInt64)
        case raw([UInt8])

        func append(to bytes: inout [UInt8]) {
            func put(_ value: UInt64, _ count: Int) {
                bytes.append(contentsOf: (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) })
            }
            switch self {
            case .u16(let value): put(UInt64(value), 2)
            case .u32(let value): put(UInt64(value), 4)
            case .u64(let value): put(value, 8)
            case .raw(let more): bytes.append(contentsOf: more)
            }
        }
    }
}

/// A simulated PTP/IP driver. The simulation returns each packet as the driver sees it, after
/// ``NetworkFraming`` has changed the packet.
struct ScriptedNetworkLink {
    var dialogue = PTPDialogue()
    private var framing = NetworkFraming()
    private var transaction: UInt32 = 0

    /// Passes a request to ``NetworkFraming``. Returns the packet that the driver would send to the camera.
    mutating func request(_ operation: UInt16, _ parameters: UInt32...) -> [UInt8] {
        transaction += 1
        var packet = PacketWriter(
            .u32(UInt32(18 + 4 * parameters.count)), .u32(6), .u32(1), .u16(operation), .u32(transaction)
        ).bytes
        for parameter in parameters { packet += PacketWriter(.u32(parameter)).bytes }
        packet.withUnsafeMutableBytes { framing.request($0, to: &dialogue) }
        return packet
    }

    /// Receives a packet whose body arrives in parts of at most `part` bytes. Returns the type and the body
    /// as the driver sees them.
    mutating func receive(_ type: UInt32, _ body: [UInt8], part: Int = .max) -> (type: UInt32, body: [UInt8])
    {
        var header = PacketWriter(.u32(UInt32(body.count + 8)), .u32(type)).bytes
        header.withUnsafeMutableBytes { framing.header($0, to: dialogue) }
        var body = body
        let count = body.count
        body.withUnsafeMutableBytes { buffer in
            var done = 0
            while done < count {
                let size = min(part, count - done)
                framing.body(
                    UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + size]), to: &dialogue)
                done += size
            }
        }
        return (UInt32(header[4]), body)
    }

    /// Receives a whole response: start, data in packets of `packet` bytes, end, response code. Returns the
    /// total, the data, the types of the data packets and the response code as the driver sees them.
    mutating func reply(
        _ data: [UInt8], code: UInt16 = 0x2001, packet: Int = .max, part: Int = .max,
        transaction: UInt32? = nil
    ) -> (total: UInt32, data: [UInt8], types: [UInt32], response: UInt16) {
        let number = transaction ?? self.transaction
        let start = receive(9, PacketWriter(.u32(number), .u64(UInt64(data.count))).bytes)
        var types: [UInt32] = []
        var seen: [UInt8] = []
        var done = 0
        while done < data.count {
            let size = min(packet, data.count - done)
            let body = PacketWriter(.u32(number)).bytes + data[done..<done + size]
            done += size
            let read = receive(done == data.count ? 12 : 10, body, part: part)
            types.append(read.type)
            seen += read.body.dropFirst(4)
        }
        let response = receive(7, PacketWriter(.u16(code), .u32(number)).bytes).body
        let total = start.body[4..<8].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return (total, seen, types, UInt16(response[0]) | UInt16(response[1]) << 8)
    }
}

/// Returns a PTP array of 16-bit numbers.
func codeArray(_ codes: [UInt16]) -> [UInt8] {
    codes.reduce(into: PacketWriter(.u32(UInt32(codes.count))).bytes) {
        $0 += PacketWriter(.u16($1)).bytes
    }
}

/// Returns a PTP string: the number of UTF-16 units including the NUL, followed by the units.
func textBytes(_ text: String) -> [UInt8] {
    guard !text.isEmpty else { return [0] }
    let units: [UInt16] = Array(text.utf16) + [0]
    return units.reduce(into: [UInt8(units.count)]) { $0 += PacketWriter(.u16($1)).bytes }
}

/// Returns a DeviceInfo dataset up to the model.
func deviceInfoBytes(
    vendorExtension: UInt32, description: String, operations: [UInt16], properties: [UInt16] = [0x5001],
    manufacturer: String
) -> [UInt8] {
    let head = PacketWriter(
        .u16(100), .u32(vendorExtension), .u16(100), .raw(textBytes(description)), .u16(0))
    let arrays: [[UInt16]] = [operations, [0x4002], properties, [0x3801], [0x3801, 0xB103]]
    return head.bytes + arrays.flatMap(codeArray) + textBytes(manufacturer) + textBytes("X-T4")
}

/// Returns a PTP array of 32-bit numbers.
func handleArray(_ handles: [UInt32]) -> [UInt8] {
    handles.reduce(into: PacketWriter(.u32(UInt32(handles.count))).bytes) {
        $0 += PacketWriter(.u32($1)).bytes
    }
}
