/// A reader for the rating that the photographer set in the camera. The camera stores the rating in the
/// photo's file.
///
/// FrameFast does not use libexif, because libexif supports neither RAW files nor XMP. libexif would also add
/// a C parser for untrusted data to the daemon. This reader reads a few bounded ranges, and every loop has a
/// limit.
///
/// Sources:
///
/// - Directories: EXIF 2.32 and TIFF 6.0.
/// - Tag 0x4746 `Rating`: Microsoft, "Photo Metadata Policies".
/// - Tag 0x02BC (XMP packet) and `xmp:Rating`: XMP specification, part 1, 8.4.
/// - The XMP box of Canon's CR3: ISO 14496-12 `uuid`. The identifier is from the XMP specification, part 3,
///   1.2.7.1.
/// - The JPEG in a RAF file: its offset is at byte 84.
public enum RatingReader {
    /// The largest metadata block to read, in bytes. Cameras pad XMP to a few kilobytes.
    static let blockBytesMax = 256 * 1024
    /// The largest number of JPEG segments to read before the image data.
    static let segmentsMax = 64
    /// The largest number of directory entries to read.
    static let entriesMax = 512
    /// The largest number of ISO boxes to read.
    static let boxesMax = 64

    /// Returns the rating: 0 for unrated, 1...5 stars, -1 for rejected; `nil` if the file contains no rating.
    ///
    /// - Parameters:
    ///   - size: The size of the file, in bytes.
    ///   - read: Reads `count` bytes at `offset`, or fewer at the end of the file.
    public static func rating<Failure: Error>(
        size: UInt64, read: (_ offset: UInt64, _ count: Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> Int? {
        let head = try read(0, 96)
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return try jpeg(at: 0, size: size, read) }
        if head.starts(with: "FUJIFILMCCD-RAW".utf8), head.count >= 88 {
            let offset = head[84..<88].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return offset < size ? try jpeg(at: offset, size: size, read) : nil
        }
        if head.count >= 12, head[4..<8].elementsEqual("ftyp".utf8) { return try boxes(size: size, read) }
        return try tiff(at: 0, size: size, read)
    }

    /// Returns the rating from XMP, or from EXIF if XMP has no rating.
    private static func jpeg<Failure: Error>(
        at start: UInt64, size: UInt64, _ read: (UInt64, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> Int? {
        var offset = start + 2
        var exif: Int?
        for _ in 0..<segmentsMax where offset < size {
            let head = try read(offset, 4)
            guard head.count == 4, head[0] == 0xFF, head[1] != 0xDA, head[1] != 0xD9 else { break }
            if head[1] == 0xFF {
                offset += 1
                continue
            }
            let length = Int(head[2]) << 8 | Int(head[3])
            guard length >= 2 else { break }
            if head[1] == 0xE1 {
                let body = try read(offset + 4, length - 2)
                if body.starts(with: Array("Exif\0\0".utf8)) {
                    let block = Array(body.dropFirst(6))
                    exif = try tiff(at: 0, size: UInt64(block.count)) { (offset, count) throws(Failure) in
                        guard offset < UInt64(block.count) else { return [] }
                        return Array(block[Int(offset)..<min(Int(offset) + count, block.count)])
                    }
                } else if body.starts(with: Array("http://ns.adobe.com/xap/1.0/\0".utf8)),
                    let stars = xmp(body)
                {
                    return stars
                }
            }
            offset += 2 + UInt64(length)
        }
        return exif
    }

    /// Returns the rating from the first directory of a TIFF, an EXIF block or a TIFF-based RAW file.
    private static func tiff<Failure: Error>(
        at start: UInt64, size: UInt64, _ read: (UInt64, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> Int? {
        let head = try read(start, 8)
        guard head.count == 8 else { return nil }
        let isLittle = head.starts(with: Array("II".utf8))
        guard isLittle || head.starts(with: Array("MM".utf8)) else { return nil }
        func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
            isLittle
                ? bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
                : bytes.reduce(0) { $0 << 8 | UInt64($1) }
        }
        let directory = number(head[4..<8])
        guard directory >= 8, directory + 2 <= size else { return nil }
        let count = min(Int(number(try read(directory, 2)[...])), entriesMax)
        let entries = try read(directory + 2, count * 12)
        var exif: Int?
        for index in 0..<entries.count / 12 {
            let entry = entries[(index * 12)..<(index * 12 + 12)]
            let first = entry.startIndex
            let value = number(entry[(first + 8)..<(first + 12)])
            switch number(entry[first..<(first + 2)]) {
            case 0x4746:
                // A SHORT is in the first two bytes of the value.
                exif = stars(Int(number(entry[(first + 8)..<(first + 10)])))
            case 0x02BC:
                let bytes = number(entry[(first + 4)..<(first + 8)])
                guard bytes > 4, bytes <= UInt64(blockBytesMax), value < size else { continue }
                if let stars = xmp(try read(value, Int(bytes))) { return stars }
            default: continue
            }
        }
        return exif
    }

    /// Returns the rating from the XMP box of an ISO file.
    private static func boxes<Failure: Error>(
        size: UInt64, _ read: (UInt64, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> Int? {
        var offset: UInt64 = 0
        for _ in 0..<boxesMax where offset < size {
            let head = try read(offset, 32)
            guard head.count >= 16 else { return nil }
            var length = head[0..<4].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            if length == 1 { length = head[8..<16].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
            if length == 0 { length = size - offset }
            guard length >= 8, length <= size - offset else { return nil }
            if head.count >= 24, head[4..<8].elementsEqual("uuid".utf8), head[8..<24].elementsEqual(xmpBox) {
                return xmp(try read(offset + 24, Int(min(length - min(length, 24), UInt64(blockBytesMax)))))
            }
            offset += length
        }
        return nil
    }

    private static let xmpBox: [UInt8] = [
        0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
    ]

    /// Returns the rating from `xmp:Rating="3"` or `<xmp:Rating>3</xmp:Rating>` in an XMP packet.
    static func xmp(_ packet: [UInt8]) -> Int? {
        let name = Array("xmp:Rating".utf8)
        guard packet.count > name.count else { return nil }
        var start = 0
        while start + name.count < packet.count {
            guard packet[start] == name[0], packet[start..<(start + name.count)].elementsEqual(name) else {
                start += 1
                continue
            }
            start += name.count
            let rest = packet[start..<min(start + 24, packet.count)]
            let afterName = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
            guard let separator = afterName.first,
                separator == UInt8(ascii: "=") || separator == UInt8(ascii: ">")
            else {
                continue
            }
            let value = afterName.dropFirst().drop {
                $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 || $0 == UInt8(ascii: "\"")
                    || $0 == UInt8(ascii: "'")
            }
            let isNegative = value.first == UInt8(ascii: "-")
            guard let digit = value.dropFirst(isNegative ? 1 : 0).first,
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit)
            else { continue }
            let number = Int(digit - UInt8(ascii: "0"))
            if let stars = stars(isNegative ? -number : number) { return stars }
        }
        return nil
    }

    private static func stars(_ number: Int) -> Int? { (-1...5).contains(number) ? number : nil }
}
