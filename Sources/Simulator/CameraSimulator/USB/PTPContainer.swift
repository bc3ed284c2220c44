/// A factory for PTP containers on USB (Still Image class, annex D): length, type, code and transaction
/// number.
enum PTPContainer {
    static let headerBytes = 12
    /// The maximum size of a container from a client, in bytes. No client sends a larger container.
    static let bytesMax = 16 << 20

    enum Kind: UInt16 {
        case command = 1
        case data = 2
        case response = 3
        case event = 4
    }

    /// Returns a data container. If its length exceeds the 32-bit field, the field is 0xFFFFFFFF ("unknown").
    static func data(_ data: ByteRope, code: UInt16, transaction: UInt32) -> ByteRope {
        let length = UInt32(exactly: data.count + headerBytes) ?? .max
        var rope = ByteRope(header(.data, length: length, code: code, transaction: transaction).bytes)
        rope.append(data)
        return rope
    }

    /// Returns a response container.
    static func response(_ reply: PTPReply, transaction: UInt32) -> ByteRope {
        block(.response, code: reply.response.rawValue, transaction: transaction, reply.parameters)
    }

    /// Returns an event container.
    static func event(code: UInt16, parameters: [UInt32]) -> ByteRope {
        block(.event, code: code, transaction: 0, Array(parameters.prefix(3)))
    }

    private static func block(
        _ kind: Kind, code: UInt16, transaction: UInt32, _ parameters: [UInt32]
    ) -> ByteRope {
        let length = UInt32(headerBytes + parameters.count * 4)
        var out = header(kind, length: length, code: code, transaction: transaction)
        for parameter in parameters { out.u32(parameter) }
        return ByteRope(out.bytes)
    }

    private static func header(_ kind: Kind, length: UInt32, code: UInt16, transaction: UInt32) -> ByteWriter
    {
        var out = ByteWriter(capacity: 32)
        out.u32(length)
        out.u16(kind.rawValue)
        out.u16(code)
        out.u32(transaction)
        return out
    }
}
