/// The meaning of a directory's entries, which depends on the place of the directory.
enum TIFFRole {
    /// The main directories, and the directories of previews.
    case image
    case exif
    case interoperability
    /// The maker note of Olympus and OM System.
    case olympus
    /// The camera settings in the maker note of Olympus and OM System.
    case olympusSettings
}

/// A directory inside another directory.
private struct Subdirectory {
    var offset: UInt64
    var role: TIFFRole
    var block: TIFFBlock
}

/// The results of one directory.
private struct TIFFDirectory {
    var facts: TIFFFacts
    var inner: [Subdirectory] = []
    /// The offset of a JPEG, from a thumbnail's entry (0x0201) or from Olympus's entry.
    var offset: UInt64 = 0
    var length: UInt64 = 0
    /// The offset of the only strip of a picture, which may be a JPEG.
    var stripOffset: UInt64 = 0
    var stripLength: UInt64 = 0
    var compression: UInt64 = 0
    /// The color space that a DNG file declares for the JPEG, or `nil`.
    var colorSpace: PreviewColorSpace?

    mutating func addPreview(_ offset: UInt64, _ length: UInt64, in block: TIFFBlock) {
        let start = block.base + offset
        guard offset > 0, length > 0, start < block.end else { return }
        let range = start..<(start + min(length, block.end - start))
        facts.previews.append(PreviewPlace(range: range, colorSpace: colorSpace))
    }

    /// Adds the JPEGs that the entries describe together.
    mutating func addPreviews(in block: TIFFBlock) {
        addPreview(offset, length, in: block)
        // 6 is JPEG of TIFF 6.0, and 7 is JPEG of its supplement. Sensor data may have the same number, but
        // `jpegHeader(at:end:)` later rejects its lossless JPEG.
        if compression == 6 || compression == 7 { addPreview(stripOffset, stripLength, in: block) }
    }
}

extension PreviewSearch {
    /// Reads all directories of a TIFF block.
    mutating func tiff(at base: UInt64, end: UInt64) throws(Failure) -> TIFFFacts {
        guard let head = try bytes(at: base, 8, before: end),
            let block = TIFFBlock(head: head, base: base, end: min(end, size))
        else { return TIFFFacts() }
        let first = Subdirectory(offset: block.number(head[4..<8]), role: .image, block: block)
        var facts = try readDirectories(first, depth: 0, facts: TIFFFacts())
        if let size = facts.size, size.width == 0 || size.height == 0 { facts.size = nil }
        return facts
    }

    /// Reads the entries of a directory. Returns `nil` if the directory extends beyond its block.
    func readEntries(at place: UInt64, in block: TIFFBlock) throws(Failure) -> [TIFFEntry]? {
        guard let head = try bytes(at: place, 2, before: block.end) else { return nil }
        let count = min(Int(block.number(head[...])), PreviewFinder.entriesMax)
        guard let table = try bytes(at: place + 2, count * 12, before: block.end) else { return nil }
        return (0..<count).map { TIFFEntry(table[($0 * 12)..<($0 * 12 + 12)], in: block) }
    }

    /// Reads a directory, the directories in it, and the directories after it.
    ///
    /// - Parameter facts: The metadata of earlier directories.
    /// - Returns: The metadata of all directories.
    private mutating func readDirectories(
        _ first: Subdirectory, depth: Int, facts: TIFFFacts
    ) throws(Failure) -> TIFFFacts {
        var directory = TIFFDirectory(facts: facts)
        let block = first.block
        var next = first.offset
        while next > 0, depth <= PreviewFinder.depthMax {
            let place = block.base + next
            guard place < block.end, visit(place), let entries = try readEntries(at: place, in: block) else {
                break
            }
            directory = TIFFDirectory(facts: directory.facts)
            for entry in entries { try read(entry, as: first.role, in: block, into: &directory) }
            directory.addPreviews(in: block)
            for inner in directory.inner {
                directory.facts = try readDirectories(inner, depth: depth + 1, facts: directory.facts)
            }
            let tail = place + 2 + UInt64(entries.count) * 12
            let pointer = try bytes(at: tail, 4, before: block.end)
            next = pointer.map { block.number($0[...]) } ?? 0
        }
        return directory.facts
    }

    private func read(
        _ entry: TIFFEntry, as role: TIFFRole, in block: TIFFBlock, into directory: inout TIFFDirectory
    ) throws(Failure) {
        switch role {
        case .image: try readImageEntry(entry, in: block, into: &directory)
        case .exif: try readEXIFEntry(entry, in: block, into: &directory)
        case .interoperability:
            if entry.tag == 0x0001, entry.kind == 2, directory.facts.interoperability == nil {
                directory.facts.interoperability = Array(entry.inline.prefix(3))
            }
        case .olympus:
            // ThumbnailImage and CameraSettings.
            if entry.tag == 0x0100, entry.valueBytes == 1, entry.count > 4 {
                directory.addPreview(entry.offset, entry.count, in: block)
            } else if entry.tag == 0x2020 {
                directory.inner.append(
                    Subdirectory(offset: entry.offset, role: .olympusSettings, block: block))
            }
        case .olympusSettings:
            // PreviewImageStart and PreviewImageLength.
            if entry.tag == 0x0101 { directory.offset = entry.offset }
            if entry.tag == 0x0102 { directory.length = entry.offset }
        }
    }

    private func readImageEntry(
        _ entry: TIFFEntry, in block: TIFFBlock, into directory: inout TIFFDirectory
    ) throws(Failure) {
        switch entry.tag {
        // JpgFromRaw of Panasonic, and JpgFromRaw2, a larger JPEG in files of some models (exiv2 issue 2856).
        case 0x002E where entry.kind == 7 && entry.count > 4,
            0x0127 where entry.kind == 7 && entry.count > 4:
            directory.addPreview(entry.offset, entry.count, in: block)
        case 0x0103: directory.compression = try number(of: entry, in: block)
        case 0x0111 where entry.count == 1: directory.stripOffset = try number(of: entry, in: block)
        case 0x0112:
            let value = try number(of: entry, in: block)
            if directory.facts.orientation == nil, (1...8).contains(value) {
                directory.facts.orientation = Int(value)
            }
        case 0x0117 where entry.count == 1: directory.stripLength = try number(of: entry, in: block)
        case 0x014A:
            for offset in try numbers(of: entry, PreviewFinder.subdirectoriesMax, in: block) {
                directory.inner.append(Subdirectory(offset: offset, role: .image, block: block))
            }
        case 0x0201: directory.offset = try number(of: entry, in: block)
        case 0x0202: directory.length = try number(of: entry, in: block)
        case 0x8769:
            directory.inner.append(Subdirectory(offset: entry.offset, role: .exif, block: block))
        // PreviewColorSpace of DNG: 2 is sRGB, 3 is Adobe RGB.
        case 0xC71A where entry.offset == 2: directory.colorSpace = .sRGB
        case 0xC71A where entry.offset == 3: directory.colorSpace = .adobeRGB
        // The EXIF directory of a CR3 file is the first directory of a separate block.
        default: try readEXIFEntry(entry, in: block, into: &directory)
        }
    }

    private func readEXIFEntry(
        _ entry: TIFFEntry, in block: TIFFBlock, into directory: inout TIFFDirectory
    ) throws(Failure) {
        switch entry.tag {
        case 0x927C:
            if let note = try olympusNote(at: block.base + entry.offset, end: block.end) {
                directory.inner.append(note)
            }
        case 0xA001:
            let value = try number(of: entry, in: block)
            if directory.facts.colorTag == nil { directory.facts.colorTag = value }
        case 0xA002, 0xA003:
            let value = try number(of: entry, in: block)
            guard (1...UInt64(PreviewFinder.sideMax)).contains(value) else { return }
            var size = directory.facts.size ?? PreviewSize(width: 0, height: 0)
            if entry.tag == 0xA002 { size.width = Int(value) } else { size.height = Int(value) }
            directory.facts.size = size
        case 0xA005:
            directory.inner.append(Subdirectory(offset: entry.offset, role: .interoperability, block: block))
        default: break
        }
    }

    /// Returns the directory of a maker note of Olympus or OM System, or `nil` for another maker. Offsets in
    /// this directory are relative to the start of the maker note.
    private func olympusNote(at place: UInt64, end: UInt64) throws(Failure) -> Subdirectory? {
        guard let head = try bytes(at: place, 16, before: end) else { return nil }
        for name in ["OLYMPUS\0", "OM SYSTEM\0\0\0"] where head.starts(with: name.utf8) {
            let count = name.utf8.count
            return TIFFBlock(head: Array(head[count...]), base: place, end: end).map { block in
                Subdirectory(offset: UInt64(count) + 4, role: .olympus, block: block)
            }
        }
        return nil
    }

    // MARK: Values

    /// Returns the first value of an entry, or 0 if the finder cannot read the entry.
    private func number(of entry: TIFFEntry, in block: TIFFBlock) throws(Failure) -> UInt64 {
        try numbers(of: entry, 1, in: block).first ?? 0
    }

    /// Returns the first values of an entry, at most `countMax`.
    private func numbers(
        of entry: TIFFEntry, _ countMax: Int, in block: TIFFBlock
    ) throws(Failure) -> [UInt64] {
        guard let width = entry.valueBytes else { return [] }
        let count = Int(min(entry.count, UInt64(countMax)))
        var stored = entry.inline
        if entry.count * UInt64(width) > 4 {
            let place = block.base + entry.offset
            guard let elsewhere = try bytes(at: place, count * width, before: block.end) else { return [] }
            stored = elsewhere
        }
        return (0..<count).map { block.number(stored[($0 * width)..<($0 * width + width)]) }
    }
}
