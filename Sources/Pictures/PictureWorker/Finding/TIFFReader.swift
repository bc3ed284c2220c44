/// Directories of a TIFF (revision 6.0), of an EXIF block, or of a RAW file that is built like one. Follows no more than it
/// counted, whatever the numbers say.
struct TIFFReader {
    /// Most directories that are looked at, in all.
    private static let directoriesMax = 64
    /// Most entries of one.
    private static let entriesMax = 512
    /// Most numbers of one entry: places of strips, of subdirectories.
    private static let valuesMax = 64
    /// Deepest directory.
    private static let depthMax = 6

    private enum Tag {
        static let compression = 0x0103
        static let stripOffsets = 0x0111
        static let orientation = 0x0112
        static let stripBytes = 0x0117
        static let subDirectories = 0x014A
        static let jpegOffset = 0x0201
        static let jpegBytes = 0x0202
        static let exif = 0x8769
        static let makerNote = 0x927C
        static let colourSpace = 0xA001
        static let interoperability = 0xA005
        /// Panasonic's, which holds a whole JPEG (JpgFromRaw).
        static let panasonicJPEG = 0x002E
        /// MPF: 16 bytes for each picture.
        static let pictures = 0xB002
        /// Olympus: a directory in the maker note, and what is in it.
        static let olympusSettings = 0x2020
        static let olympusOffset = 0x0101
        static let olympusBytes = 0x0102
    }

    private struct Entry {
        var tag: Int
        var type: Int
        var count: UInt64
        /// Where its value stands.
        var place: UInt64
    }

    private let source: any ByteSource
    private let isLittle: Bool
    private let first: UInt64

    /// `nil` for what does not begin like one.
    init?(_ source: any ByteSource) {
        guard let head = source.bytes(at: 0, count: 8) else { return nil }
        let isLittle = head[0...1].elementsEqual("II".utf8)
        guard isLittle || head[0...1].elementsEqual("MM".utf8) else { return nil }
        // 42; Olympus and Panasonic write letters there, and 85.
        let mark = isLittle ? Int(head[2]) | Int(head[3]) << 8 : Int(head[2]) << 8 | Int(head[3])
        guard [42, 85, 0x4F52, 0x5352].contains(mark) else { return nil }
        let place = isLittle ? Array(head[4...].reversed()) : Array(head[4...])
        self.init(source, isLittle: isLittle, first: place.reduce(0) { $0 << 8 | UInt64($1) })
    }

    private init(_ source: any ByteSource, isLittle: Bool, first: UInt64) {
        (self.source, self.isLittle, self.first) = (source, isLittle, first)
    }

    // MARK: What is asked

    /// How the picture is to be turned.
    var orientation: Orientation? {
        entry(Tag.orientation, in: first).flatMap { values($0).first }.flatMap {
            Orientation(rawValue: Int($0))
        }
    }

    /// Adobe RGB by DCF: no colour space that EXIF knows, and R03 as the rule of interoperability.
    var isAdobeRGB: Bool {
        guard let exif = directory(Tag.exif, in: first) else { return false }
        if let space = entry(Tag.colourSpace, in: exif).flatMap({ values($0).first }) {
            // Some write 2 for Adobe RGB.
            if space == 2 { return true }
            guard space == 0xFFFF else { return false }
        }
        guard let rules = directory(Tag.interoperability, in: exif), let index = entry(1, in: rules) else {
            return false
        }
        return source.bytes(at: index.place, count: 3).map { $0.elementsEqual("R03".utf8) } ?? false
    }

    /// Pictures beside the first by MPF: offset from the start of these directories, and bytes.
    var multiplePictures: [(offset: UInt64, count: UInt64)] {
        guard let entry = entry(Tag.pictures, in: first) else { return [] }
        return (1..<max(1, min(entry.count / 16, UInt64(Self.valuesMax)))).compactMap { index in
            let place = entry.place + index * 16
            guard let count = number(at: place + 4), let offset = number(at: place + 8), offset > 0 else {
                return nil
            }
            return (offset, count)
        }
    }

    /// Places of what may be JPEGs, in all directories.
    var jpegs: [(offset: UInt64, count: UInt64)] {
        var found: [(offset: UInt64, count: UInt64)] = []
        var seen: Set<UInt64> = []
        var open: [(offset: UInt64, depth: Int)] = [(first, 0)]
        while let (offset, depth) = open.popLast(), seen.count < Self.directoriesMax {
            guard depth <= Self.depthMax, seen.insert(offset).inserted else { continue }
            let entries = entries(at: offset)
            func value(_ tag: Int) -> UInt64? {
                entries.first { $0.tag == tag }.flatMap { values($0).first }
            }
            if let offset = value(Tag.jpegOffset), let count = value(Tag.jpegBytes) {
                found.append((offset, count))
            }
            // A strip with the compression of a JPEG, old or new.
            if [6, 7].contains(value(Tag.compression) ?? 0), let offset = value(Tag.stripOffsets),
                let count = value(Tag.stripBytes)
            {
                found.append((offset, count))
            }
            if let entry = entries.first(where: { $0.tag == Tag.panasonicJPEG }) {
                found.append((entry.place, entry.count))
            }
            for entry in entries where [Tag.subDirectories, Tag.exif].contains(entry.tag) {
                open += values(entry).map { ($0, depth + 1) }
            }
            if let note = entries.first(where: { $0.tag == Tag.makerNote }) { found += olympus(note) }
            if let next = next(after: offset, entries), depth < Self.depthMax { open.append((next, depth)) }
        }
        return found
    }

    /// The preview that an Olympus describes in its maker note, whose places count from there.
    private func olympus(_ note: Entry) -> [(offset: UInt64, count: UInt64)] {
        guard let head = source.bytes(at: note.place, count: 16) else { return [] }
        let start: UInt64
        if head.starts(with: "OLYMPUS\0II".utf8) {
            start = 12
        } else if head.starts(with: "OM SYSTEM\0\0\0II".utf8) {
            start = 16
        } else {
            return []
        }
        guard let part = PartOfBytes(source, at: note.place, count: source.count - note.place) else {
            return []
        }
        let reader = TIFFReader(part, isLittle: true, first: start)
        guard let settings = reader.directory(Tag.olympusSettings, in: start),
            let offset = reader.entry(Tag.olympusOffset, in: settings).flatMap({ reader.values($0).first }),
            let count = reader.entry(Tag.olympusBytes, in: settings).flatMap({ reader.values($0).first })
        else { return [] }
        return [(note.place + offset, count)]
    }

    // MARK: Directories

    private func entries(at offset: UInt64) -> [Entry] {
        guard offset >= 8, let count = number(at: offset, bytes: 2) else { return [] }
        return (0..<min(count, UInt64(Self.entriesMax))).compactMap { index in
            let place = offset + 2 + index * 12
            guard let tag = number(at: place, bytes: 2), let type = number(at: place + 2, bytes: 2),
                let count = number(at: place + 4)
            else { return nil }
            let isInline = count.multipliedReportingOverflow(by: Self.bytes(ofType: Int(type)))
            guard !isInline.overflow else { return nil }
            guard isInline.partialValue > 4 else {
                return Entry(tag: Int(tag), type: Int(type), count: count, place: place + 8)
            }
            return number(at: place + 8).map {
                Entry(tag: Int(tag), type: Int(type), count: count, place: $0)
            }
        }
    }

    private func entry(_ tag: Int, in directory: UInt64) -> Entry? {
        entries(at: directory).first { $0.tag == tag }
    }

    /// The directory that an entry of another names.
    private func directory(_ tag: Int, in parent: UInt64) -> UInt64? {
        entry(tag, in: parent).flatMap { values($0).first }
    }

    private func next(after offset: UInt64, _ entries: [Entry]) -> UInt64? {
        guard let count = number(at: offset, bytes: 2), count <= UInt64(Self.entriesMax) else { return nil }
        return number(at: offset + 2 + count * 12).flatMap { $0 == 0 ? nil : $0 }
    }

    /// Numbers of an entry, as many as are looked at.
    private func values(_ entry: Entry) -> [UInt64] {
        let size = Self.bytes(ofType: entry.type)
        guard [1, 3, 4, 13].contains(entry.type) else { return [] }
        return (0..<min(entry.count, UInt64(Self.valuesMax))).compactMap {
            number(at: entry.place + $0 * size, bytes: Int(size))
        }
    }

    private func number(at offset: UInt64, bytes: Int = 4) -> UInt64? {
        source.number(at: offset, bytes: bytes, isLittle: isLittle)
    }

    /// Bytes of one value of a type.
    private static func bytes(ofType type: Int) -> UInt64 {
        switch type {
        case 3, 8: 2
        case 4, 9, 11, 13: 4
        case 5, 10, 12: 8
        default: 1
        }
    }
}
