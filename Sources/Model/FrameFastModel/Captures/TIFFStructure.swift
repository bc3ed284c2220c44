/// A check for TIFF files and TIFF-based RAW formats. The check reads all directories and verifies that their
/// image data lies inside the file.
///
/// Only missing bytes are treated as damage. The check ignores unusual values: the Sony A100 uses the SubIFD
/// tag for other data, and Panasonic writes 0 or 0xFFFFFFFF as an offset. If the magic number
/// is not the number of TIFF or Olympus files, the check covers only the offset of the first directory.
enum TIFFStructure {
    /// The largest number of directories to read. Cameras write fewer than ten directories.
    static let directoriesMax = 64
    /// The largest number of entries in a plausible directory.
    static let entriesMax = 1_024
    /// The largest number of values to read from one entry. A RAW file of 200 megapixels has a few thousand
    /// tiles.
    static let valuesMax = 65_536

    /// The offset that some cameras write for data that is not in the file.
    private static let elsewhere = UInt64(UInt32.max)

    /// The numbers after the byte order of the formats whose directories are checked: TIFF, and Olympus ORF
    /// ("RO" and "RS"). The strips of an ORF lie inside the file (rawspeed's OrfDecoder requires this).
    private static let checkedMagic: Set<UInt64> = [42, 0x4F52, 0x5352]

    /// JPEG compression.
    private static let jpegCompression: UInt64 = 7

    private enum Tag {
        static let compression: UInt16 = 0x0103
        static let stripOffsets: UInt16 = 0x0111
        static let stripCounts: UInt16 = 0x0117
        static let tileOffsets: UInt16 = 0x0144
        static let tileCounts: UInt16 = 0x0145
        static let subDirectories: UInt16 = 0x014A
        static let jpegOffset: UInt16 = 0x0201
        static let jpegLength: UInt16 = 0x0202
    }

    /// Pairs of tags. The first tag has the offsets of data, and the second tag has the lengths.
    private static let pairs = [
        (Tag.stripOffsets, Tag.stripCounts), (Tag.tileOffsets, Tag.tileCounts),
        (Tag.jpegOffset, Tag.jpegLength),
    ]

    private struct Entry {
        var type: UInt16
        var count: UInt64
        /// The value of the entry. For a value of more than four bytes, the offset of the value.
        var field: [UInt8]
    }

    /// - Parameter isHasselblad: Whether the lengths of compressed image data may be wrong. Older Hasselblad
    ///   cameras write the size of the uncompressed data (exiftool issue 476).
    static func check<Failure: Error>(
        head: [UInt8], size: UInt64, isHasselblad: Bool, read: (UInt64, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> StructureCheck.Outcome {
        let isLittle = head.starts(with: Array("II".utf8))
        guard head.count >= 8, isLittle || head.starts(with: Array("MM".utf8)) else {
            return .damaged("it does not start with the header of a TIFF-based RAW file")
        }
        let first = number(head[4..<8], isLittle)
        guard first >= 8, first + 2 <= size else { return outside }
        guard checkedMagic.contains(number(head[2..<4], isLittle)) else { return .whole }
        var pendingDirectories = [first]
        var visitedOffsets: Set<UInt64> = []
        while let next = pendingDirectories.popLast(), visitedOffsets.count < directoriesMax {
            guard next != 0, next != elsewhere, visitedOffsets.insert(next).inserted else { continue }
            guard next + 2 <= size else { return outside }
            let count = number(try read(next, 2)[...], isLittle)
            guard (1...UInt64(entriesMax)).contains(count) else { continue }
            let table = try read(next + 2, Int(count) * 12 + 4)
            guard let entries = entries(table, isLittle) else { continue }
            guard table.count >= Int(count) * 12 else { return outside }
            var ignoresLengths = false
            if isHasselblad, let entry = entries[Tag.compression] {
                ignoresLengths = try values(entry, size, isLittle, read)?.first == jpegCompression
            }
            for (offsets, counts) in pairs {
                guard let places = entries[offsets], let lengths = entries[counts] else { continue }
                guard let places = try values(places, size, isLittle, read),
                    let lengths = try values(lengths, size, isLittle, read)
                else { return .pictureOutside }
                for (place, length) in zip(places, lengths)
                where place != 0 && length != 0 && place != elsewhere {
                    guard place + (ignoresLengths ? 1 : length) <= size else { return .pictureOutside }
                }
            }
            if let subs = entries[Tag.subDirectories], let places = try values(subs, size, isLittle, read) {
                pendingDirectories += places.prefix(directoriesMax)
            }
            if table.count >= Int(count) * 12 + 4 {
                pendingDirectories.append(number(table.suffix(4), isLittle))
            }
        }
        return .whole
    }

    private static let outside = StructureCheck.Outcome.damaged(
        "its directory extends beyond the end of the file: the file is truncated")

    /// Returns the entries of a possible directory, or `nil` if an entry has an invalid type.
    private static func entries(_ table: [UInt8], _ isLittle: Bool) -> [UInt16: Entry]? {
        var entries: [UInt16: Entry] = [:]
        var place = 0
        while place + 12 <= table.count - table.count % 12 {
            let tag = UInt16(truncatingIfNeeded: number(table[place..<place + 2], isLittle))
            let type = UInt16(truncatingIfNeeded: number(table[place + 2..<place + 4], isLittle))
            guard (1...18).contains(type) else { return nil }
            entries[tag] = Entry(
                type: type, count: number(table[place + 4..<place + 8], isLittle),
                field: Array(table[place + 8..<place + 12]))
            place += 12
        }
        return entries
    }

    /// Returns the numbers of an entry, or an empty array for an entry with too many numbers or without
    /// numbers. Returns `nil` if the numbers lie outside the file.
    private static func values<Failure: Error>(
        _ entry: Entry, _ size: UInt64, _ isLittle: Bool, _ read: (UInt64, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> [UInt64]? {
        let width: Int
        switch entry.type {
        case 3: width = 2
        case 4, 13: width = 4
        default: return []
        }
        guard (1...UInt64(valuesMax)).contains(entry.count) else { return [] }
        let bytes = Int(entry.count) * width
        var field = entry.field
        if bytes > 4 {
            let place = number(field[...], isLittle)
            guard place + UInt64(bytes) <= size else { return nil }
            field = try read(place, bytes)
        }
        guard field.count >= bytes else { return nil }
        return stride(from: 0, to: bytes, by: width).map { number(field[$0..<$0 + width], isLittle) }
    }

    /// Returns up to eight bytes as a number.
    private static func number(_ bytes: ArraySlice<UInt8>, _ isLittle: Bool) -> UInt64 {
        isLittle
            ? bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } : bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
