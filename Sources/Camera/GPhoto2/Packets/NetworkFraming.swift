/// A parser that assembles PTP/IP packets as the driver reads them, and passes the packets to a
/// ``PTPDialogue``.
///
/// The driver reads one packet at a time from either of its two connections, header first
/// (ptp_ptpip_generic_read). One state is therefore sufficient for both connections.
struct NetworkFraming {
    private enum Kind {
        static let initCommandAck: UInt32 = 2
        static let initFail: UInt32 = 5
        static let response: UInt32 = 7
        static let event: UInt32 = 8
        static let startData: UInt32 = 9
        static let data: UInt32 = 10
        static let endData: UInt32 = 12
    }

    private var header: [UInt8] = []
    private var kind: UInt32 = 0
    private var bodyCount = 0
    private var received = 0

    /// Processes a request packet: length, type, data phase, code, transaction and parameters.
    func request(_ bytes: UnsafeMutableRawBufferPointer, to dialogue: inout PTPDialogue) {
        guard bytes.count >= 18 else { return }
        func parameter(_ index: Int) -> UInt32 {
            bytes.count >= 22 + index * 4 ? bytes.word32(18 + index * 4) : 0
        }
        let replacement = dialogue.request(
            PTPRequest(
                operation: bytes.word16(12), transaction: bytes.word32(14),
                parameters: (parameter(0), parameter(1), parameter(2), parameter(3))))
        if let replacement, bytes.count >= 22 { bytes.set32(18, replacement) }
    }

    /// Processes bytes of an 8-byte header: length (including the header), type.
    mutating func header(_ bytes: UnsafeMutableRawBufferPointer, to dialogue: PTPDialogue) {
        // After a read that failed within a packet, the state belongs to that packet. A header always starts
        // a new packet.
        if header.count >= 8 || received < bodyCount { header.removeAll(keepingCapacity: true) }
        header.append(contentsOf: bytes)
        received = 0
        bodyCount = 0
        guard header.count >= 8 else { return }
        let words = header.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        bodyCount = max(0, Int(UInt32(truncatingIfNeeded: words)) - 8)
        kind = UInt32(truncatingIfNeeded: words >> 32)
        // While the driver expects no data, it skips only end-data packets (ptp_ptpip_getresp). Data that
        // only FrameFast needs is therefore marked as end-data.
        if kind == Kind.data, dialogue.keepsDataFromDriver, bytes.count >= 8 { bytes.set32(4, Kind.endData) }
    }

    /// Processes bytes of the body. The driver fills one buffer from its start. The earlier bytes of the body
    /// therefore directly precede this part in memory.
    mutating func body(_ part: UnsafeMutableRawBufferPointer, to dialogue: inout PTPDialogue) {
        guard let partStart = part.baseAddress, received + part.count <= bodyCount else { return }
        let start = partStart - received
        received += part.count
        guard received == bodyCount else { return }
        packet(UnsafeMutableRawBufferPointer(start: start, count: bodyCount), to: &dialogue)
    }

    private func packet(_ body: UnsafeMutableRawBufferPointer, to dialogue: inout PTPDialogue) {
        switch kind {
        case Kind.initCommandAck: dialogue.greeting = .settled
        case Kind.initFail where body.count >= 4: dialogue.greeting = .refused(reason: body.word32(0))
        case Kind.startData where body.count >= 8:
            // The total has 64 bits on the wire. The driver reads only the lower half.
            let upper = body.count >= 12 ? UInt64(body.word32(8)) << 32 : 0
            let newTotal = dialogue.dataStart(
                transaction: body.word32(0), total: upper | UInt64(body.word32(4)), limit: UInt64(UInt32.max))
            if let total = newTotal ?? (dialogue.keepsDataFromDriver ? 0 : nil) {
                body.set32(4, UInt32(truncatingIfNeeded: total))
            }
        case Kind.data, Kind.endData:
            guard body.count > 4 else { return }
            dialogue.data(UnsafeMutableRawBufferPointer(rebasing: body[4...]))
        case Kind.response where body.count >= 2:
            if let code = dialogue.response(code: body.word16(0)) { body.set16(0, code) }
        case Kind.event where body.count >= 6:
            let parameter = body.count >= 10 ? body.word32(6) : 0
            if dialogue.event(code: body.word16(0), parameter: parameter) {
                body.set16(0, PTPEvent.undefined)
            }
        default: break
        }
    }
}
