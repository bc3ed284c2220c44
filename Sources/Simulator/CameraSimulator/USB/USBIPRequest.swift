/// A request of the kernel's virtual host controller (Documentation/usb/usbip_protocol.rst of Linux).
///
/// All numbers of the protocol are big-endian. Only the setup packet is little-endian, as on USB.
enum USBIPRequest: Hashable, Sendable {
    /// A transfer. The data of an OUT transfer follows the header.
    case submit(USBTransfer)
    /// The host cancels a transfer.
    case unlink(sequence: UInt32, victim: UInt32)

    /// The size of the header of each request, in bytes.
    static let headerBytes = 48
    /// The maximum size of a transfer, in bytes. The kernel's own limit for user transfers is also 16 MB.
    static let transferBytesMax = 16 << 20

    private enum Command {
        static let submit: UInt32 = 1
        static let unlink: UInt32 = 2
    }

    /// Parses a header, or returns `nil` if it is invalid or requests an isochronous transfer, which the
    /// camera does not support.
    init?(header: [UInt8]) {
        guard header.count == Self.headerBytes else { return nil }
        func word(_ index: Int) -> UInt32 {
            header[index * 4..<index * 4 + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
        let sequence = word(1)
        switch word(0) {
        case Command.submit:
            let length = Int(word(6))
            let packets = word(8)
            guard word(3) <= 1, word(4) <= 15, length <= Self.transferBytesMax,
                packets == 0 || packets == .max, let setup = SetupPacket(header[40...])
            else { return nil }
            self = .submit(
                USBTransfer(
                    sequence: sequence, endpoint: UInt8(word(4)), isIn: word(3) == 1, length: length,
                    setup: setup))
        case Command.unlink: self = .unlink(sequence: sequence, victim: word(5))
        default: return nil
        }
    }

    /// The number of bytes after the header.
    var payloadBytes: Int {
        if case .submit(let transfer) = self, !transfer.isIn { return transfer.length }
        return 0
    }
}

/// A transfer that the host requests (a USB request block).
struct USBTransfer: Hashable, Sendable {
    var sequence: UInt32
    /// The endpoint number, without its direction.
    var endpoint: UInt8
    var isIn: Bool
    /// The number of bytes that the host sends or can receive.
    var length: Int
    var setup = SetupPacket(0, 0)
    /// The data from the host.
    var data: [UInt8] = []
}
