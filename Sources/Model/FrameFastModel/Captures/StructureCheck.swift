/// A check for truncated or damaged files. The service checks each file before giving the file its final
/// name.
///
/// The announced size alone is not sufficient, because some cameras announce a wrong size for a truncated
/// file. The check reads the header, the end marker and the length fields of common formats.
public enum StructureCheck {
    /// The largest distance of a JPEG's end marker from the end of the file, in bytes. Some cameras append
    /// padding or maker data.
    static let endMarkerWindow = 64 * 1024
    /// The largest number of top-level boxes to read in an ISO file. Cameras write fewer than ten boxes, and
    /// video recorders write two for each second.
    static let boxesMax = 10_000

    /// The largest number of segments to read before a JPEG's image data. Cameras write far fewer.
    static let segmentsMax = 100_000

    /// Checks a file.
    ///
    /// - Parameters:
    ///   - name: The camera's file name. Its extension determines the expected format.
    ///   - size: The size on disk, in bytes.
    ///   - read: Reads `count` bytes at `offset`, or fewer at the end of the file.
    public static func check<Failure: Error>(
        name: String, size: UInt64, read: (_ offset: UInt64, _ count: Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> Outcome {
        guard size > 0 else { return .damaged("it is empty") }
        let head = try read(0, 32)
        let ext = SafeName.split(name).ext.lowercased()
        switch ext {
        case "jpg", "jpeg", "jpe": return try jpeg(head: head, size: size, read: read)
        case "tif", "tiff", "nef", "nrw", "cr2", "arw", "srf", "sr2", "dng", "pef", "orf", "ori", "rw2",
            "rwl", "raw", "srw", "3fr", "iiq", "erf", "kdc", "dcr", "mef", "mos", "fff":
            return try TIFFStructure.check(
                head: head, size: size, isHasselblad: ext == "3fr" || ext == "fff", read: read)
        case "cr3", "crm", "heic", "heif", "hif", "avif", "mp4", "mov":
            return try isoBoxes(head: head, size: size, read: read)
        case "raf": return try raf(head: head, size: size, read: read)
        default: return .whole
        }
    }

    /// Checks a JPEG (ITU T.81). The file must start with FF D8 FF, its segments must lie inside the file,
    /// and the end marker FF D9 must be near the end of the file. The end marker must be after the start of
    /// the image data. Earlier segments, such as a thumbnail or maker data, may contain FF D9. Image data
    /// cannot contain FF D9, because 00 or a restart marker follows each FF.
    private static func jpeg<Failure: Error>(
        head: [UInt8], size: UInt64, read: (UInt64, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> Outcome {
        guard head.starts(with: [0xFF, 0xD8, 0xFF]) else {
            return .damaged("it does not start with a JPEG header")
        }
        var offset: UInt64 = 2
        for _ in 0..<segmentsMax {
            let marker = try read(offset, 4)
            guard marker.count == 4 else {
                return .damaged("its segments are inconsistent: the file is truncated")
            }
            // Stops at the image data, or at bytes that are not a marker. Decoders skip bytes that are not a
            // marker.
            guard marker[0] == 0xFF, marker[1] != 0xDA else { break }
            // Skips a fill byte.
            guard marker[1] != 0xFF else {
                offset += 1
                continue
            }
            offset += 2 + (UInt64(marker[2]) << 8 | UInt64(marker[3]))
            guard offset < size else {
                return .damaged("its segments are inconsistent: the file is truncated")
            }
        }
        let window = min(size - offset, UInt64(endMarkerWindow))
        let tail = try read(size - window, Int(window))
        let hasEnd = tail.indices.dropLast().reversed().contains { tail[$0] == 0xFF && tail[$0 + 1] == 0xD9 }
        return hasEnd ? .whole : .damaged("its end marker is missing: the file is truncated")
    }

    /// Checks a RAF: the JPEG, the header and the raw data must lie inside the file. Their offsets and
    /// lengths start at byte 84 (big-endian).
    private static func raf<Failure: Error>(
        head: [UInt8], size: UInt64, read: (UInt64, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> Outcome {
        guard head.starts(with: "FUJIFILMCCD-RAW".utf8) else {
            return .damaged("it does not start with a RAF header")
        }
        let directory = try read(84, 24)
        for position in stride(from: 0, to: directory.count - directory.count % 8, by: 8) {
            let offset = directory[position..<position + 4].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let length = directory[position + 4..<position + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard offset == 0 || offset + length <= size else { return .pictureOutside }
        }
        return .whole
    }

    /// The first boxes of movies from cameras. Older cameras write QuickTime movies without `ftyp` (QuickTime
    /// File Format: the box is optional; ExifTool accepts the same boxes).
    private static let firstBoxes = Set(
        ["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"].map { Array($0.utf8) })

    /// Checks ISO base media (ISO 14496-12): the first box must be one of ``firstBoxes``, and the last
    /// top-level box must end at the end of the file.
    private static func isoBoxes<Failure: Error>(
        head: [UInt8], size: UInt64, read: (UInt64, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> Outcome {
        guard head.count >= 16, firstBoxes.contains(Array(head[4..<8])) else {
            return .damaged("it does not start with an ISO media header (CR3, HEIC, MP4)")
        }
        var offset: UInt64 = 0
        for _ in 0..<boxesMax where offset < size {
            let header = try read(offset, 16)
            guard header.count >= 8 else { return .damaged("its last box is truncated") }
            var length = header[0..<4].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            if length == 0 { return .whole }  // "to the end of the file"
            if length == 1 {
                guard header.count == 16 else { return .damaged("its last box is truncated") }
                length = header[8..<16].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            }
            guard length >= 8, length <= size - offset else {
                return .damaged("its boxes are inconsistent: the file is truncated")
            }
            offset += length
        }
        return .whole
    }
}
