/// What goes back over the virtual host controller's socket.
struct USBIPReply: Sendable {
    /// How a transfer ended: 0, or an error number of Linux, negative.
    enum Status: Int32, Sendable {
        case done = 0
        /// The endpoint is halted (EPIPE).
        case stalled = -32
        /// The transfer was taken back before it was done (ECONNRESET).
        case unlinked = -104
    }

    private enum Command {
        static let submitted: UInt32 = 3
        static let unlinked: UInt32 = 4
    }

    private let command: UInt32
    private let sequence: UInt32
    let status: Status
    /// Bytes that were sent or taken.
    let transferred: Int
    /// The bytes themselves, of an IN transfer.
    let data: ByteRope

    /// The end of a transfer to the host.
    static func sent(_ sequence: UInt32, _ data: ByteRope) -> USBIPReply {
        USBIPReply(
            command: Command.submitted, sequence: sequence, status: .done, transferred: data.count, data: data
        )
    }

    /// The end of a transfer from the host.
    static func taken(_ sequence: UInt32, bytes: Int) -> USBIPReply {
        USBIPReply(
            command: Command.submitted, sequence: sequence, status: .done, transferred: bytes,
            data: ByteRope())
    }

    /// The endpoint refuses.
    static func stalled(_ sequence: UInt32) -> USBIPReply {
        USBIPReply(
            command: Command.submitted, sequence: sequence, status: .stalled, transferred: 0, data: ByteRope()
        )
    }

    /// The answer to an unlink: whether the transfer was still waiting.
    static func unlinked(_ sequence: UInt32, wasWaiting: Bool) -> USBIPReply {
        USBIPReply(
            command: Command.unlinked, sequence: sequence, status: wasWaiting ? .unlinked : .done,
            transferred: 0, data: ByteRope())
    }

    /// The 48 bytes before the data.
    var header: [UInt8] {
        var out = ByteWriter(capacity: USBIPRequest.headerBytes)
        out.big32(command)
        out.big32(sequence)
        out.zeros(12)  // device, direction and endpoint are the request's
        out.big32(UInt32(bitPattern: status.rawValue))
        out.big32(UInt32(transferred))
        out.zeros(20)
        return out.bytes
    }
}
