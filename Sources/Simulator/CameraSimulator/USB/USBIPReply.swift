/// A reply to the kernel's virtual host controller.
struct USBIPReply: Sendable {
    /// The status of a completed transfer: 0 or a negative error number of Linux.
    enum Status: Int32, Sendable {
        case done = 0
        /// The endpoint is halted (EPIPE).
        case stalled = -32
        /// The host unlinked the transfer before its completion (ECONNRESET).
        case unlinked = -104
    }

    private enum Command {
        static let submitted: UInt32 = 3
        static let unlinked: UInt32 = 4
    }

    private let command: UInt32
    private let sequence: UInt32
    let status: Status
    /// The number of bytes that were sent or received.
    let transferred: Int
    /// The data of an IN transfer.
    let data: ByteRope

    /// Returns the completion of an IN transfer.
    static func sent(_ sequence: UInt32, _ data: ByteRope) -> USBIPReply {
        USBIPReply(
            command: Command.submitted, sequence: sequence, status: .done, transferred: data.count, data: data
        )
    }

    /// Returns the completion of an OUT transfer.
    static func received(_ sequence: UInt32, bytes: Int) -> USBIPReply {
        USBIPReply(
            command: Command.submitted, sequence: sequence, status: .done, transferred: bytes,
            data: ByteRope())
    }

    /// Returns a stall, which a halted endpoint sends.
    static func stalled(_ sequence: UInt32) -> USBIPReply {
        USBIPReply(
            command: Command.submitted, sequence: sequence, status: .stalled, transferred: 0, data: ByteRope()
        )
    }

    /// Returns the reply to an unlink request.
    ///
    /// - Parameter wasWaiting: Whether the transfer was still waiting.
    static func unlinked(_ sequence: UInt32, wasWaiting: Bool) -> USBIPReply {
        USBIPReply(
            command: Command.unlinked, sequence: sequence, status: wasWaiting ? .unlinked : .done,
            transferred: 0, data: ByteRope())
    }

    /// The header before the data, 48 bytes.
    var header: [UInt8] {
        var out = ByteWriter(capacity: USBIPRequest.headerBytes)
        out.big32(command)
        out.big32(sequence)
        out.zeros(12)  // device, direction and endpoint, which are 0 in replies
        out.big32(UInt32(bitPattern: status.rawValue))
        out.big32(UInt32(transferred))
        out.zeros(20)
        return out.bytes
    }
}
