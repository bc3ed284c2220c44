/// What the kernel's virtual host controller sends over its socket (Documentation/usb/usbip_protocol.rst of Linux).
/// All numbers of the protocol are big-endian; the setup packet inside is USB's own, little-endian.
enum USBIPRequest: Hashable, Sendable {
    /// A transfer; the bytes of an OUT transfer follow the header.
    case submit(USBTransfer)
    /// The host does not want the answer to a transfer any more.
    case unlink(sequence: UInt32, victim: UInt32)

    /// Every request begins with so many bytes.
    static let headerBytes = 48
    /// Longest transfer that is taken; the kernel's own bound for a user's transfer is 16 MB.
    static let transferBytesMax = 16 << 20

    private enum Command {
        static let submit: UInt32 = 1
        static let unlink: UInt32 = 2
    }

    /// Reads a header; `nil` when it is none, or asks for what the camera has not (isochronous transfers).
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

    /// Bytes that follow the header.
    var payloadBytes: Int {
        if case .submit(let transfer) = self, !transfer.isIn { return transfer.length }
        return 0
    }
}

/// One transfer that the host wants (a USB request block).
struct USBTransfer: Hashable, Sendable {
    var sequence: UInt32
    /// Number of the endpoint, without its direction.
    var endpoint: UInt8
    var isIn: Bool
    /// Bytes that the host sends, or has room for.
    var length: Int
    var setup = SetupPacket(0, 0)
    /// What the host sends.
    var data: [UInt8] = []
}
