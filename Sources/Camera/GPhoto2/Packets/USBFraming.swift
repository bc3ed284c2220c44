/// A parser that splits the port layer's USB reads and writes into PTP containers, and passes the containers
/// to a ``PTPDialogue``.
///
/// A container has a length (32 bits), a type and a code (16 bits each), a transaction (32 bits) and a
/// payload. Over USB, the tap sees a request after it was sent, and therefore can't change the request.
struct USBFraming {
    private enum Kind {
        static let command: UInt16 = 1
        static let data: UInt16 = 2
        static let response: UInt16 = 3
        static let event: UInt16 = 4
    }

    private static let headerBytes = 12
    /// The length value of a data container of unknown size. Such a container ends with a short read.
    private static let endlessLength = UInt32.max
    /// The number of bytes per read of a container of unknown size (PTP_USB_BULK_HS_MAX_PACKET_LEN_READ).
    private static let endlessReadBytes = 512
    private var isEndless = false
    private var dataLeft = 0
    private var dataToSend = 0

    /// Processes a bulk write: a command, or data that the driver sends.
    mutating func write(_ bytes: UnsafeMutableRawBufferPointer, to dialogue: inout PTPDialogue) {
        if dataToSend > 0 {
            dataToSend -= min(dataToSend, bytes.count)
            return
        }
        guard bytes.count >= Self.headerBytes else { return }
        dataLeft = 0
        isEndless = false
        switch bytes.word16(4) {
        case Kind.data:
            dataToSend = max(0, Int(bytes.word32(0)) - bytes.count)
        case Kind.command:
            func parameter(_ index: Int) -> UInt32 {
                bytes.count >= 16 + index * 4 ? bytes.word32(12 + index * 4) : 0
            }
            _ = dialogue.request(
                PTPRequest(
                    operation: bytes.word16(6), transaction: bytes.word32(8),
                    parameters: (parameter(0), parameter(1), parameter(2), parameter(3))))
        default: break
        }
    }

    /// Processes a bulk read: the rest of a data container or a new container.
    mutating func read(_ bytes: UnsafeMutableRawBufferPointer, to dialogue: inout PTPDialogue) {
        var rest = bytes
        if isEndless {
            dialogue.data(rest)
            isEndless = rest.count >= Self.endlessReadBytes
            return
        }
        if dataLeft > 0 {
            let count = min(dataLeft, rest.count)
            dialogue.data(UnsafeMutableRawBufferPointer(rebasing: rest[..<count]))
            dataLeft -= count
            rest = UnsafeMutableRawBufferPointer(rebasing: rest[count...])
        }
        guard dataLeft == 0, rest.count >= Self.headerBytes else { return }
        switch rest.word16(4) {
        case Kind.data:
            isEndless = rest.word32(0) == Self.endlessLength
            let length = isEndless ? rest.count : Int(rest.word32(0))
            let total = isEndless ? .max : UInt64(max(0, length - Self.headerBytes))
            // With a reduced length, the driver treats the remaining bytes as the response (ptp_usb_getdata),
            // and the call fails. Over USB, the driver therefore also receives the data of FrameFast's own
            // requests. The length is reduced only for data that is too long for the request.
            if let total = dialogue.dataStart(transaction: rest.word32(8), total: total) {
                rest.set32(0, UInt32(Self.headerBytes) + UInt32(truncatingIfNeeded: total))
            }
            let here = min(rest.count, max(length, Self.headerBytes))
            if here > Self.headerBytes {
                dialogue.data(UnsafeMutableRawBufferPointer(rebasing: rest[Self.headerBytes..<here]))
            }
            dataLeft = max(0, length - here)
            // The same read may also contain the response.
            if here < rest.count {
                read(UnsafeMutableRawBufferPointer(rebasing: rest[here...]), to: &dialogue)
            }
        case Kind.response:
            if let code = dialogue.response(code: rest.word16(6)) { rest.set16(6, code) }
        default: break
        }
    }

    /// Processes an interrupt report: an event container.
    func interrupt(_ bytes: UnsafeMutableRawBufferPointer, to dialogue: inout PTPDialogue) {
        guard bytes.count >= Self.headerBytes, bytes.word16(4) == Kind.event else { return }
        let parameter = bytes.count >= 16 ? bytes.word32(12) : 0
        if dialogue.event(code: bytes.word16(6), parameter: parameter) { bytes.set16(6, PTPEvent.undefined) }
    }
}
