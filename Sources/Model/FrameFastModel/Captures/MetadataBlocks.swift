/// Where photos keep what they say of themselves: segments of a JPEG, boxes of an ISO file, directories of a TIFF. Reads
/// bounded ranges and follows no more than it counted: every number in them is a stranger's.
enum MetadataBlocks {
    /// Most segments of a JPEG that are walked before the picture.
    static let segmentsMax = 64
    /// Most boxes that are walked.
    static let boxesMax = 64
    /// Bytes at the start by which kinds of files are told apart.
    static let headBytes = 96

    /// Begins the APP1 segment that holds EXIF.
    static let exifMark = Array("Exif\0\0".utf8)

    /// Where the JPEG begins that tells of a photo; `nil` when it is none and has none.
    ///
    /// - Parameter head: The first ``headBytes`` of the file.
    static func jpegStart(head: [UInt8], size: UInt64) -> UInt64? {
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return 0 }
        // Fujifilm's RAF, as its makers write it.
        guard head.starts(with: "FUJIFILMCCD-RAW".utf8), head.count >= 88 else { return nil }
        let offset = head[84..<88].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return offset < size ? offset : nil
    }

    /// Whether a file is made of boxes (ISO 14496-12).
    static func isISO(head: [UInt8]) -> Bool { head.count >= 12 && head[4..<8].elementsEqual("ftyp".utf8) }

    /// Visits the APP1 segments of a JPEG, which hold EXIF and XMP, until `visit` has seen enough.
    ///
    /// - Parameter visit: Told the segment without its head; says whether to go on.
    static func app1Segments<Failure: Error>(
        at start: UInt64, size: UInt64, _ read: (UInt64, Int) throws(Failure) -> [UInt8],
        _ visit: ([UInt8]) -> Bool
    ) throws(Failure) {
        // Where the next one begins, past the mark of the start.
        var offset = start + 2
        for _ in 0..<segmentsMax where offset < size {
            let head = try read(offset, 4)
            guard head.count == 4, head[0] == 0xFF, head[1] != 0xDA, head[1] != 0xD9 else { return }
            if head[1] == 0xFF {
                offset += 1
                continue
            }
            let length = Int(head[2]) << 8 | Int(head[3])
            guard length >= 2 else { return }
            if head[1] == 0xE1, !visit(try read(offset + 4, length - 2)) { return }
            offset += 2 + UInt64(length)
        }
    }

    /// What is in the first box of a kind within a range; `nil` when there is none.
    ///
    /// - Parameters:
    ///   - kind: Its four letters.
    ///   - id: For a `uuid` box, which one.
    static func box<Failure: Error>(
        _ kind: String, id: [UInt8] = [], in range: Range<UInt64>,
        _ read: (UInt64, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> Range<UInt64>? {
        var offset = range.lowerBound
        for _ in 0..<boxesMax where offset < range.upperBound {
            let head = try read(offset, 32)
            guard head.count >= 8 else { return nil }
            let left = range.upperBound - offset
            var length = head[0..<4].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            var front: UInt64 = 8
            if length == 1 {
                guard head.count >= 16 else { return nil }
                length = head[8..<16].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                front = 16
            }
            if length == 0 { length = left }
            guard length >= front, length <= left else { return nil }
            let idEnd = Int(front) + id.count
            if head[4..<8].elementsEqual(kind.utf8), head.count >= idEnd, length >= UInt64(idEnd),
                head[Int(front)..<idEnd].elementsEqual(id)
            {
                return (offset + UInt64(idEnd))..<(offset + length)
            }
            offset += length
        }
        return nil
    }
}

/// One directory of a TIFF, of an EXIF block, or of a RAW file that is built like one (TIFF 6.0).
struct MetadataDirectory {
    /// Most entries that are looked at.
    static let entriesMax = 512

    /// One entry; what its value means depends on the tag.
    struct Entry {
        var tag: Int
        /// How long each of its values is, and what it means.
        var type: Int
        var count: UInt64
        /// The value, or where it lies.
        var long: UInt64
        /// The first two bytes of the value.
        var short: Int
    }

    let isLittle: Bool
    let entries: [Entry]

    /// The first one; `nil` where there is no TIFF.
    init?<Failure: Error>(
        size: UInt64, read: (UInt64, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) {
        let head = try read(0, 8)
        guard head.count == 8 else { return nil }
        isLittle = head.starts(with: Array("II".utf8))
        guard isLittle || head.starts(with: Array("MM".utf8)) else { return nil }
        let start = Self.number(head[4..<8], isLittle)
        guard let entries = try Self.entries(at: start, isLittle, size: size, read) else { return nil }
        self.entries = entries
    }

    /// Another one of the same TIFF; `nil` when it does not lie in it.
    init?<Failure: Error>(
        at start: UInt64, of other: Self, size: UInt64, read: (UInt64, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) {
        isLittle = other.isLittle
        guard let entries = try Self.entries(at: start, isLittle, size: size, read) else { return nil }
        self.entries = entries
    }

    private static func entries<Failure: Error>(
        at start: UInt64, _ isLittle: Bool, size: UInt64, _ read: (UInt64, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> [Entry]? {
        guard start >= 8, start + 2 <= size else { return nil }
        let count = min(Int(number(try read(start, 2)[...], isLittle)), entriesMax)
        let bytes = try read(start + 2, count * 12)
        return (0..<bytes.count / 12).map { index in
            let entry = bytes[(index * 12)..<(index * 12 + 12)]
            let first = entry.startIndex
            func part(_ range: Range<Int>) -> UInt64 {
                number(entry[(first + range.lowerBound)..<(first + range.upperBound)], isLittle)
            }
            return Entry(
                tag: Int(part(0..<2)), type: Int(part(2..<4)), count: part(4..<8), long: part(8..<12),
                short: Int(part(8..<10)))
        }
    }

    /// A number of the TIFF's byte order.
    func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { Self.number(bytes, isLittle) }

    private static func number(_ bytes: ArraySlice<UInt8>, _ isLittle: Bool) -> UInt64 {
        isLittle
            ? bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
            : bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension [UInt8] {
    /// Bytes at an offset, fewer at the end: a block that was read whole, as a file.
    func part(_ offset: UInt64, _ count: Int) -> [UInt8] {
        guard offset < UInt64(self.count) else { return [] }
        let start = Int(offset)
        return Array(self[start..<(start + Swift.min(count, self.count - start))])
    }
}
