/// Finds the stars that a photographer gave a photo in the camera, in the file itself.
///
/// A reader of our own and not libexif: that knows neither RAW files nor XMP, and would bring a C parser of hostile
/// bytes into the daemon for one number. This one reads a few bounded ranges and never follows more than it counted.
///
/// Sources: EXIF 2.32 and TIFF 6.0 for directories, tag 0x4746 `Rating` (Microsoft, "Photo Metadata Policies"), tag
/// 0x02BC XMP packet and `xmp:Rating` (XMP specification part 1, 8.4), the box of Canon's CR3 with XMP (ISO 14496-12
/// `uuid`, identifier from XMP part 3, 1.2.7.1), the JPEG inside a RAF (offset at 84, as its makers write it).
public enum RatingReader {
    /// Largest metadata block that is read, in bytes: cameras pad XMP to a few kilobytes.
    static let blockBytesMax = 256 * 1024

    /// The stars: 0 for none, 1...5, -1 for rejected; `nil` when the file says nothing.
    ///
    /// - Parameters:
    ///   - size: Bytes of the file.
    ///   - read: Reads `count` bytes at `offset`, fewer at the end.
    public static func rating<Failure: Error>(
        size: UInt64, read: (_ offset: UInt64, _ count: Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> Int? {
        let head = try read(0, MetadataBlocks.headBytes)
        if let start = MetadataBlocks.jpegStart(head: head, size: size) {
            return try jpeg(at: start, size: size, read)
        }
        guard MetadataBlocks.isISO(head: head) else { return try tiff(size: size, read) }
        guard let box = try MetadataBlocks.box("uuid", id: xmpBox, in: 0..<size, read) else { return nil }
        let count = min(box.upperBound - box.lowerBound, UInt64(blockBytesMax))
        return xmp(try read(box.lowerBound, Int(count)))
    }

    /// The first of what EXIF and XMP say that is a rating.
    private static func jpeg<Failure: Error>(
        at start: UInt64, size: UInt64, _ read: (UInt64, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> Int? {
        var (exif, stars): (Int?, Int?)
        try MetadataBlocks.app1Segments(at: start, size: size, read) { body in
            if body.starts(with: MetadataBlocks.exifMark) {
                let block = Array(body.dropFirst(MetadataBlocks.exifMark.count))
                exif = tiff(size: UInt64(block.count), block.part)
            } else if body.starts(with: Array("http://ns.adobe.com/xap/1.0/\0".utf8)) {
                stars = xmp(body)
            }
            return stars == nil
        }
        return stars ?? exif
    }

    /// The first directory of a TIFF, an EXIF block or a RAW file that is built like one.
    private static func tiff<Failure: Error>(
        size: UInt64, _ read: (UInt64, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> Int? {
        guard let directory = try MetadataDirectory(size: size, read: read) else { return nil }
        var exif: Int?
        for entry in directory.entries {
            switch entry.tag {
            case 0x4746:
                // A SHORT stands in the first two bytes of the value.
                exif = stars(entry.short)
            case 0x02BC:
                guard entry.count > 4, entry.count <= UInt64(blockBytesMax), entry.long < size else {
                    continue
                }
                if let stars = xmp(try read(entry.long, Int(entry.count))) { return stars }
            default: continue
            }
        }
        return exif
    }

    private static let xmpBox: [UInt8] = [
        0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
    ]

    /// `xmp:Rating="3"` or `<xmp:Rating>3</xmp:Rating>` in a packet.
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
            let afterSign = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
            guard let sign = afterSign.first, sign == UInt8(ascii: "=") || sign == UInt8(ascii: ">") else {
                continue
            }
            let value = afterSign.dropFirst().drop {
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
