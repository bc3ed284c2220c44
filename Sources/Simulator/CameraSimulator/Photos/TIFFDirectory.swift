/// An image file directory of a TIFF structure (TIFF 6.0), as in EXIF and most RAW formats.
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
        /// Several directories, which are stored after this directory. The entry contains their offsets.
        case directories([TIFFDirectory])
        /// Bytes that are stored after this directory. The entry contains the offset of the bytes.
        case blob([UInt8])
    }

    private var entries: [UInt16: Value] = [:]
    /// The wrong offset of the next directory in a damaged file, or `nil` for the correct offset.
    var nextOffset: UInt32?

    subscript(tag: UInt16) -> Value? {
        get { entries[tag] }
        set { entries[tag] = newValue }
    }

    /// Copies the entries of another directory, and replaces entries with the same tags.
    mutating func copyEntries(of other: TIFFDirectory) {
        entries.merge(other.entries) { _, new in new }
    }

    /// Returns the encoded directory with everything that it points to.
    ///
    /// - Parameters:
    ///   - offset: The offset of the directory in the TIFF structure, in bytes.
    ///   - next: Whether another directory follows immediately (IFD1 after IFD0).
    ///   - order: The byte order of the TIFF structure.
    func encoded(
        at offset: Int, followedByAnother next: Bool = false, in order: ByteOrder = .little
    ) -> [UInt8] {
        let tags = entries.keys.sorted()
        var tail: [UInt8] = []
        let tailStart = offset + 2 + tags.count * 12 + 4
        var head = ByteWriter(capacity: 512)
        head.u16(UInt16(tags.count), order)
        for tag in tags {
            guard let value = entries[tag] else { continue }
            if !tail.count.isMultiple(of: 2) { tail.append(0) }
            let field = Self.encode(value, at: tailStart + tail.count, in: order)
            head.u16(tag, order)
            head.u16(field.type, order)
            head.u32(UInt32(field.count), order)
            if field.isPointer {
                head.u32(UInt32(tailStart + tail.count), order)
                tail += field.bytes
            } else if field.bytes.count <= 4 {
                head.raw(field.bytes)
                head.zeros(4 - field.bytes.count)
            } else {
                head.u32(UInt32(tailStart + tail.count), order)
                tail += field.bytes
            }
        }
        if !tail.count.isMultiple(of: 2) { tail.append(0) }
        head.u32(nextOffset ?? (next ? UInt32(tailStart + tail.count) : 0), order)
        return head.bytes + tail
    }

    private static func encode(
        _ value: Value, at offset: Int, in order: ByteOrder
    ) -> (type: UInt16, count: Int, bytes: [UInt8], isPointer: Bool) {
        var out = ByteWriter()
        switch value {
        case .byte(let bytes): return (1, bytes.count, bytes, false)
        case .ascii(let text): return (2, text.utf8.count + 1, Array(text.utf8) + [0], false)
        case .short(let values):
            values.forEach { out.u16($0, order) }
            return (3, values.count, out.bytes, false)
        case .long(let values):
            values.forEach { out.u32($0, order) }
            return (4, values.count, out.bytes, false)
        case .rational(let values):
            for (numerator, denominator) in values {
                out.u32(numerator, order)
                out.u32(denominator, order)
            }
            return (5, values.count, out.bytes, false)
        case .undefined(let bytes): return (7, bytes.count, bytes, false)
        case .directory(let directory):
            return (4, 1, directory.encoded(at: offset, in: order), true)
        case .directories(let directories):
            // The offset of a single directory is stored in the entry.
            var place = directories.count == 1 ? offset : offset + directories.count * 4
            var bodies: [UInt8] = []
            for directory in directories {
                let body = directory.encoded(at: place, in: order)
                if directories.count > 1 { out.u32(UInt32(place), order) }
                bodies += body
                place += body.count
            }
            return (4, directories.count, out.bytes + bodies, true)
        case .blob(let bytes): return (4, 1, bytes, true)
        }
    }
}
