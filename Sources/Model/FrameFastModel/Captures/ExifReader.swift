/// Reads how a photo was taken from its file: JPEG, RAW files that are built like a TIFF, Canon's CR3 and Fujifilm's RAF.
///
/// Sources: EXIF 2.32 (CIPA DC-008) for tags and types; Canon's box of EXIF in CR3 (`CMT2` in `uuid` in `moov`) as its readers
/// know it.
public enum ExifReader {
    /// Largest block that is read, in bytes: a JPEG's segment has no more.
    static let blockBytesMax = 64 * 1024
    /// Longest name of a lens, in bytes.
    static let lensBytesMax = 128

    /// Sensitivities that cameras have.
    static let isoRange: ClosedRange<UInt64> = 1...10_000_000
    /// Exposure times that are no slip of a camera, in seconds: up to a day.
    static let shutterRange = 1e-6...86_400.0
    /// F-numbers of lenses, and of pinholes.
    static let apertureRange = 0.1...1_000.0
    /// Focal lengths of lenses and telescopes, in millimetres.
    static let focalLengthRange = 0.1...100_000.0

    private enum Tag {
        static let exif = 0x8769
        static let exposureTime = 0x829A
        static let fNumber = 0x829D
        static let iso = 0x8827
        static let recommendedExposureIndex = 0x8832
        static let focalLength = 0x920A
        static let lensModel = 0xA434
    }

    /// Stands for a sensitivity that does not fit into 16 bits.
    private static let isoTooLarge: UInt64 = 65_535

    private static let canonBox: [UInt8] = [
        0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
    ]

    /// What the file says; `nil` when it says nothing.
    ///
    /// - Parameters:
    ///   - size: Bytes of the file.
    ///   - read: Reads `count` bytes at `offset`, fewer at the end.
    public static func exif<Failure: Error>(
        size: UInt64, read: (_ offset: UInt64, _ count: Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> PhotoExif? {
        let head = try read(0, MetadataBlocks.headBytes)
        if let start = MetadataBlocks.jpegStart(head: head, size: size) {
            var found: PhotoExif?
            try MetadataBlocks.app1Segments(at: start, size: size, read) { body in
                guard body.starts(with: MetadataBlocks.exifMark) else { return true }
                let block = Array(body.dropFirst(MetadataBlocks.exifMark.count))
                found = tiff(size: UInt64(block.count), read: block.part)
                return false
            }
            return found
        }
        guard MetadataBlocks.isISO(head: head) else { return try tiff(size: size, read: read) }
        guard let movie = try MetadataBlocks.box("moov", in: 0..<size, read),
            let canon = try MetadataBlocks.box("uuid", id: canonBox, in: movie, read),
            let place = try MetadataBlocks.box("CMT2", in: canon, read)
        else { return nil }
        let count = min(UInt64(blockBytesMax), place.upperBound - place.lowerBound)
        let block = try read(place.lowerBound, Int(count))
        // Its first directory is the one of EXIF.
        guard let directory = MetadataDirectory(size: UInt64(block.count), read: block.part) else {
            return nil
        }
        return exif(directory, size: UInt64(block.count), block.part)
    }

    private static func tiff<Failure: Error>(
        size: UInt64, read: (UInt64, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> PhotoExif? {
        guard let main = try MetadataDirectory(size: size, read: read),
            let place = main.entries.first(where: { $0.tag == Tag.exif })?.long,
            let directory = try MetadataDirectory(at: place, of: main, size: size, read: read)
        else { return nil }
        return try exif(directory, size: size, read)
    }

    private static func exif<Failure: Error>(
        _ directory: MetadataDirectory, size: UInt64, _ read: (UInt64, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> PhotoExif? {
        var facts = PhotoExif()
        var wideISO: Int?
        for entry in directory.entries {
            switch entry.tag {
            case Tag.iso: facts.iso = iso(entry)
            case Tag.recommendedExposureIndex: wideISO = iso(entry)
            case Tag.exposureTime:
                facts.shutterSeconds = try ratio(entry, of: directory, size, read, in: shutterRange)
            case Tag.fNumber: facts.aperture = try ratio(entry, of: directory, size, read, in: apertureRange)
            case Tag.focalLength:
                facts.focalLengthMm = try ratio(entry, of: directory, size, read, in: focalLengthRange)
            case Tag.lensModel: facts.lens = try text(entry, size, read)
            default: continue
            }
        }
        facts.iso = facts.iso ?? wideISO
        return facts.isEmpty ? nil : facts
    }

    /// A SHORT or a LONG.
    private static func iso(_ entry: MetadataDirectory.Entry) -> Int? {
        guard entry.count >= 1 else { return nil }
        let number: UInt64
        switch entry.type {
        case 3 where entry.count == 1 || entry.count == 2: number = UInt64(entry.short)
        case 4 where entry.count == 1: number = entry.long
        default: return nil
        }
        guard number != isoTooLarge, isoRange.contains(number) else { return nil }
        return Int(number)
    }

    /// A RATIONAL: two numbers of four bytes.
    private static func ratio<Failure: Error>(
        _ entry: MetadataDirectory.Entry, of directory: MetadataDirectory, _ size: UInt64,
        _ read: (UInt64, Int) throws(Failure) -> [UInt8], in range: ClosedRange<Double>
    ) throws(Failure) -> Double? {
        guard entry.type == 5, entry.count == 1, entry.long < size else { return nil }
        let bytes = try read(entry.long, 8)
        guard bytes.count == 8 else { return nil }
        let (top, bottom) = (directory.number(bytes[0..<4]), directory.number(bytes[4..<8]))
        guard bottom > 0 else { return nil }
        let value = Double(top) / Double(bottom)
        return range.contains(value) ? value : nil
    }

    /// An ASCII text that does not fit into the entry: shorter ones are no lens.
    private static func text<Failure: Error>(
        _ entry: MetadataDirectory.Entry, _ size: UInt64, _ read: (UInt64, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> String? {
        guard entry.type == 2, entry.count > 4, entry.long < size else { return nil }
        let bytes = try read(entry.long, Int(min(entry.count, UInt64(lensBytesMax))))
        let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        // Some lenses without contacts are a row of dashes.
        return words.contains(where: { $0.isLetter || $0.isNumber }) ? words : nil
    }
}
