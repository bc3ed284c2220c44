/// A box of an ISO media file (ISO 14496-12): a length, a type and a content. Numbers are big-endian.
enum ISOBox {
    /// Returns a box.
    static func box(_ type: String, _ content: [UInt8]...) -> [UInt8] {
        var out = ByteWriter()
        out.big32(UInt32(content.reduce(8) { $0 + $1.count }))
        out.raw(Array(type.utf8))
        for part in content { out.raw(part) }
        return out.bytes
    }

    /// Returns a box with a version and flags before its content.
    static func fullBox(_ type: String, flags: UInt32 = 0, _ content: [UInt8]...) -> [UInt8] {
        box(type, numbers(flags) + content.flatMap { $0 })
    }

    /// Returns the bytes of 32-bit numbers.
    static func numbers(_ values: UInt32...) -> [UInt8] {
        var out = ByteWriter()
        for value in values { out.big32(value) }
        return out.bytes
    }

    /// Returns the bytes of 16-bit numbers.
    static func shorts(_ values: UInt16...) -> [UInt8] {
        var out = ByteWriter()
        for value in values { out.big16(value) }
        return out.bytes
    }

    /// Returns the header of a box with a length of 64 bits.
    ///
    /// - Parameter contentBytes: The number of bytes after the header.
    static func longHeader(_ type: String, contentBytes: Int) -> [UInt8] {
        let bytes = UInt64(contentBytes + longHeaderBytes)
        return numbers(1) + Array(type.utf8)
            + numbers(UInt32(truncatingIfNeeded: bytes >> 32), UInt32(truncatingIfNeeded: bytes))
    }

    /// The size of ``longHeader(_:contentBytes:)``, in bytes.
    static let longHeaderBytes = 16

    /// The ID of Canon's box with metadata inside `moov`.
    static let canonMetadataID: [UInt8] = [
        0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
    ]
}
