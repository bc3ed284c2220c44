/// A check for complete files, on the bytes on disk, before a file gets its final name.
///
/// The announced size alone is no proof, because truncated but self-consistent objects exist. The check reads
/// the start, the end marker and the length fields of the common formats.
public enum StructureCheck {
    /// The result of the check.
    public enum Verdict: Hashable, Sendable {
        /// The file is complete, as far as the check of its format can tell.
        case whole
        /// The file is damaged. The text is the reason, for people.
        case damaged(String)

        /// A length field points beyond the last byte of the file.
        static let pictureOutside = damaged(
            "its picture data lies outside the file: the file is cut short")
    }

    /// The largest distance of a JPEG's end marker from the end of the file, in bytes. Some bodies append
    /// padding or maker data.
    static let endMarkerWindow = 64 * 1024
    /// The largest number of top-level boxes to read in an ISO file. Cameras write fewer than ten, recorders
    /// two for each second.
    static let boxesMax = 10_000

    /// The largest number of segments to read before a JPEG's image data, far above what cameras write.
    static let segmentsMax = 100_000

    /// Checks a file.
    ///
    /// - Parameters:
    ///   - name: The camera's file name. Its extension determines the expected format.
    ///   - size: The size on disk, in bytes.
    ///   - read: Reads `count` bytes at `offset`, fewer at the end.
    public static func verdict<Failure: Error>(
        name: String, size: UInt64, read: (_ offset: UInt64, _ count: Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> Verdict {
        guard size > 0 else { return .damaged("it is empty") }
        let head = try read(0, 32)
        switch SafeName.split(name).ext.lowercased() {
        case "jpg", "jpeg", "jpe": return try jpeg(head: head, size: size, read: read)
        case "tif", "tiff", "nef", "nrw", "cr2", "arw", "srf", "sr2", "dng", "pef", "orf", "rw2", "raw",
            "srw", "3fr",
            "iiq", "erf", "kdc", "dcr", "mef", "mos", "fff":
            return try TIFFStructure.verdict(head: head, size: size, read: read)
        case "cr3", "crm", "heic", "heif", "hif", "avif", "mp4", "mov":
            return try isoBoxes(head: head, size: size, read: read)
        case "raf": return try raf(head: head, size: size, read: read)
        default: return .whole
        }
    }

    /// Checks a JPEG (ITU T.81): it starts with FF D8 FF, its segments lie inside the file, and it has the
    /// end marker FF D9. The marker must be near the end of the file and after the start of the image data.
    /// Before the image data, a segment may contain FF D9 (a thumbnail, maker data). In the image data, FF is
    /// always followed by 00 or a restart marker.
    private static func jpeg<Failure: Error>(
        head: [UInt8], size: UInt64, read: (UInt64, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> Verdict {
        guard head.starts(with: [0xFF, 0xD8, 0xFF]) else {
            return .damaged("it does not start with a JPEG header")
        }
        var offset: UInt64 = 2
        for _ in 0..<segmentsMax {
            let marker = try read(offset, 4)
            guard marker.count == 4 else {
                return .damaged("its segments are inconsistent: the file is cut short")
            }
            // Not a marker. Decoders skip such bytes, so the check continues with the rest of the file.
            guard marker[0] == 0xFF, marker[1] != 0xDA else { break }
            // A fill byte.
            guard marker[1] != 0xFF else {
                offset += 1
                continue
            }
            offset += 2 + (UInt64(marker[2]) << 8 | UInt64(marker[3]))
            guard offset < size else {
                return .damaged("its segments are inconsistent: the file is cut short")
            }
        }
        let window = min(size - offset, UInt64(endMarkerWindow))
        let tail = try read(size - window, Int(window))
        let hasEnd = tail.indices.dropLast().reversed().contains { tail[$0] == 0xFF && tail[$0 + 1] == 0xD9 }
        return hasEnd ? .whole : .damaged("its end marker is missing: the file is cut short")
    }

    /// Checks a RAF: the offsets and lengths of the JPEG, the header and the raw data, at byte 84
    /// (big-endian).
    private static func raf<Failure: Error>(
        head: [UInt8], size: UInt64, read: (UInt64, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> Verdict {
        guard head.starts(with: "FUJIFILMCCD-RAW".utf8) else {
            return .damaged("it does not start with a RAF header")
        }
        let directory = try read(84, 24)
        for place in stride(from: 0, to: directory.count - directory.count % 8, by: 8) {
            let offset = directory[place..<place + 4].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let length = directory[place + 4..<place + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard offset == 0 || offset + length <= size else { return .pictureOutside }
        }
        return .whole
    }

    /// Checks ISO base media (ISO 14496-12): an `ftyp` box is first, and the top-level boxes end exactly with
    /// the file.
    private static func isoBoxes<Failure: Error>(
        head: [UInt8], size: UInt64, read: (UInt64, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> Verdict {
        guard head.count >= 16, Array(head[4..<8]) == Array("ftyp".utf8) else {
            return .damaged("it does not start with an ISO media header (CR3, HEIC, MP4)")
        }
        var offset: UInt64 = 0
        for _ in 0..<boxesMax where offset < size {
            let header = try read(offset, 16)
            guard header.count >= 8 else { return .damaged("its last box is cut short") }
            var length = header[0..<4].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            if length == 0 { return .whole }  // "to the end of the file"
            if length == 1 {
                guard header.count == 16 else { return .damaged("its last box is cut short") }
                length = header[8..<16].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            }
            guard length >= 8, length <= size - offset else {
                return .damaged("its boxes are inconsistent: the file is cut short")
            }
            offset += length
        }
        return .whole
    }
}
