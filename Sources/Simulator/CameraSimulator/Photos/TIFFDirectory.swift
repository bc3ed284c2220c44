/// An image file directory of a little-endian TIFF structure (TIFF 6.0), as in EXIF and most RAW formats.
struct TIFFDirectory {
    enum Value {
        case byte([UInt8])
        case ascii(String)
        case short([UInt16])
        case long([UInt32])
        case rational([(UInt32, UInt32)])
        case undefined([UInt8])
        /// Another directory, which is stored after this directory. The entry contains the offset of the
        /// other directory.
        case directory(TIFFDirectory)
        /// Bytes that are stored after this directory. The entry contains the offset of the bytes.
        case blob([UInt8])
    }

    private var entries: [UInt16: Value] = [:]

    subscript(tag: UInt16) -> Value? {
        get { entries[tag] }
        set { entries[tag] = newValue }
    }

    /// Returns the encoded directory with everything that it points to.
    ///
    /// - Parameters:
    ///   - offset: The offset of the directory in the TIFF structure, in bytes.
    ///   - next: Whether another directory follows immediately (IFD1 after IFD0).
    func encoded(at offset: Int, followedByAnother next: Bool = false) -> [UInt8] {
        let tags = entries.keys.sorted()
        var tail: [UInt8] = []
        let tailStart = offset + 2 + tags.count * 12 + 4
        var head = ByteWriter(capacity: 512)
        head.u16(UInt16(tags.count))
        for tag in tags {
            guard let value = entries[tag] else { continue }
            if !tail.count.isMultiple(of: 2) { tail.append(0) }
            let field = Self.encode(value, at: tailStart + tail.count)
            head.u16(tag)
            head.u16(field.type)
            head.u32(UInt32(field.count))
            if field.isPointer {
                head.u32(UInt32(tailStart + tail.count))
                tail += field.bytes
            } else if field.bytes.count <= 4 {
                head.raw(field.bytes)
                head.zeros(4 - field.bytes.count)
            } else {
                head.u32(UInt32(tailStart + tail.count))
                tail += field.bytes
            }
        }
        if !tail.count.isMultiple(of: 2) { tail.append(0) }
        head.u32(next ? UInt32(tailStart + tail.count) : 0)
        return head.bytes + tail
    }

    private static func encode(
        _ value: Value, at offset: Int
    ) -> (type: UInt16, count: Int, bytes: [UInt8], isPointer: Bool) {
        var out = ByteWriter()
        switch value {
        case .byte(let bytes): return (1, bytes.count, bytes, false)
        case .ascii(let text): return (2, text.utf8.count + 1, Array(text.utf8) + [0], false)
        case .short(let values):
            values.forEach { out.u16($0) }
            return (3, values.count, out.bytes, false)
        case .long(let values):
            values.forEach { out.u32($0) }
            return (4, values.count, out.bytes, false)
        case .rational(let values):
            for (numerator, denominator) in values {
                out.u32(numerator)
                out.u32(denominator)
            }
            return (5, values.count, out.bytes, false)
        case .undefined(let bytes): return (7, bytes.count, bytes, false)
        case .directory(let directory): return (4, 1, directory.encoded(at: offset), true)
        case .blob(let bytes): return (4, 1, bytes, true)
        }
    }
}
