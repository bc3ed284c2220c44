/// The disk of a camera in storage mode: a card reader without a card.
///
/// The reader implements the bulk-only transport, and the SCSI commands (SPC) with which Linux examines a new
/// disk.
struct CardReader: Sendable {
    private enum Command {
        static let testReady: UInt8 = 0x00
        static let requestSense: UInt8 = 0x03
        static let inquiry: UInt8 = 0x12
        static let modeSense: UInt8 = 0x1A
        static let preventRemoval: UInt8 = 0x1E
        static let readCapacity: UInt8 = 0x25
    }

    private static let commandSignature: UInt32 = 0x4342_5355
    private static let statusSignature: UInt32 = 0x5342_5355
    /// The sense key and code for "not ready, medium not present".
    private static let noMedium: (key: UInt8, code: UInt8) = (0x02, 0x3A)
    /// The sense key and code for "invalid command".
    private static let unknownCommand: (key: UInt8, code: UInt8) = (0x05, 0x20)

    let name: String
    private var sense: (key: UInt8, code: UInt8) = (0, 0)

    init(name: String) { self.name = name }

    /// Returns the reply to a command block as messages for the bulk endpoint, or `nil` if the block is
    /// invalid.
    mutating func answer(_ block: [UInt8]) -> [ByteRope]? {
        var reader = ByteReader(block)
        guard block.count == 31, reader.u32() == Self.commandSignature, let tag = reader.u32(),
            let requestedBytes = reader.u32().map(Int.init)
        else { return nil }
        let (data, isGood) = run(block[15])
        let sent = Array(data.prefix(requestedBytes))
        var status = ByteWriter(capacity: 13)
        status.u32(Self.statusSignature)
        status.u32(tag)
        status.u32(UInt32(requestedBytes - sent.count))
        status.u8(isGood ? 0 : 1)
        return (requestedBytes > 0 ? [ByteRope(sent)] : []) + [ByteRope(status.bytes)]
    }

    private mutating func run(_ command: UInt8) -> (data: [UInt8], isGood: Bool) {
        switch command {
        case Command.inquiry: return (inquiry, true)
        case Command.modeSense: return ([3, 0, 0, 0], true)
        case Command.preventRemoval: return ([], true)
        case Command.requestSense:
            defer { sense = (0, 0) }
            return ([0x70, 0, sense.key, 0, 0, 0, 0, 10, 0, 0, 0, 0, sense.code, 0, 0, 0, 0, 0], true)
        case Command.testReady, Command.readCapacity:
            sense = Self.noMedium
            return ([], false)
        default:
            sense = Self.unknownCommand
            return ([], false)
        }
    }

    /// The reply to INQUIRY, 36 bytes: a disk with a removable medium.
    private var inquiry: [UInt8] {
        func padded(_ text: String, _ count: Int) -> [UInt8] {
            Array((Array(text.utf8) + [UInt8](repeating: 0x20, count: count)).prefix(count))
        }
        return [0, 0x80, 4, 2, 31, 0, 0, 0] + padded("Camera", 8) + padded(name, 16) + padded("1.0", 4)
    }
}
