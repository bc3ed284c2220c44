/// A box of an ISO file (ISO 14496-12).
private struct FileBox {
    /// The four letters of the box.
    var name: [UInt8]
    /// The offset of the box in the file.
    var start: UInt64
    /// The bytes after the header.
    var content: Range<UInt64>

    func isNamed(_ letters: String) -> Bool { name.elementsEqual(letters.utf8) }
}

extension PreviewSearch {
    /// Adds the JPEGs of a CR3 file: the preview, the thumbnail, and the first sample of the first track.
    mutating func findInBoxes() throws(Failure) {
        var facts = TIFFFacts()
        var places: [(place: Range<UInt64>, kind: PreviewSource.Kind)] = []
        for box in try boxes(in: 0..<size) {
            if box.isNamed("moov"), visit(box.start) {
                var hasTrack = false
                for inner in try boxes(in: box.content) {
                    if inner.isNamed("uuid"), let canon = try contentRange(of: inner, id: Self.canonID) {
                        try readCanonBoxes(in: canon, into: &facts, places: &places)
                    } else if inner.isNamed("trak"), !hasTrack {
                        hasTrack = true
                        if let sample = try firstSample(of: inner) { places.append((sample, .canonTrack)) }
                    }
                }
            } else if box.isNamed("uuid"), let preview = try contentRange(of: box, id: Self.previewID) {
                // Eight bytes of unknown meaning follow the identifier.
                let start = min(preview.lowerBound + 8, preview.upperBound)
                for inner in try boxes(in: start..<preview.upperBound) where inner.isNamed("PRVW") {
                    if let range = try jpegRange(in: inner) { places.append((range, .canonPreview)) }
                }
            }
        }
        recordSize(facts.size, orientation: facts.orientation)
        for (range, kind) in places { try addPreview(PreviewPlace(range: range), kind: kind, facts: facts) }
    }

    private static var canonID: [UInt8] {
        [0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48]
    }

    private static var previewID: [UInt8] {
        [0xEA, 0xF4, 0x2B, 0x5E, 0x1C, 0x98, 0x4B, 0x88, 0xB9, 0xFB, 0xB7, 0xDC, 0x40, 0x6E, 0x4D, 0x16]
    }

    /// Returns the boxes in a range. A box that does not fit into the range ends the list.
    private func boxes(in range: Range<UInt64>) throws(Failure) -> [FileBox] {
        var list: [FileBox] = []
        var offset = range.lowerBound
        while offset < range.upperBound, list.count < PreviewFinder.boxesMax {
            guard let head = try bytes(at: offset, 8, before: range.upperBound) else { break }
            var length = UInt64(bigEndianBytes: head[0..<4])
            var headBytes: UInt64 = 8
            if length == 1 {
                guard let long = try bytes(at: offset + 8, 8, before: range.upperBound) else { break }
                (length, headBytes) = (UInt64(bigEndianBytes: long[...]), 16)
            } else if length == 0 {
                length = range.upperBound - offset
            }
            guard length >= headBytes, length <= range.upperBound - offset else { break }
            list.append(
                FileBox(
                    name: Array(head[4..<8]), start: offset,
                    content: (offset + headBytes)..<(offset + length)))
            offset += length
        }
        return list
    }

    /// Returns the range after the identifier of a `uuid` box, or `nil` for another identifier.
    private mutating func contentRange(of box: FileBox, id: [UInt8]) throws(Failure) -> Range<UInt64>? {
        let found = try bytes(at: box.content.lowerBound, 16, before: box.content.upperBound)
        guard found == id, visit(box.start) else { return nil }
        return (box.content.lowerBound + 16)..<box.content.upperBound
    }

    /// Reads the boxes with the directories and the thumbnail.
    private mutating func readCanonBoxes(
        in content: Range<UInt64>, into facts: inout TIFFFacts,
        places: inout [(place: Range<UInt64>, kind: PreviewSource.Kind)]
    ) throws(Failure) {
        for box in try boxes(in: content) {
            // CMT1 is the main directory, and CMT2 is the EXIF directory.
            if box.isNamed("CMT1") || box.isNamed("CMT2") {
                let found = try tiff(at: box.content.lowerBound, end: box.content.upperBound)
                facts.orientation = facts.orientation ?? found.orientation
                facts.size = facts.size ?? found.size
                facts.colorTag = facts.colorTag ?? found.colorTag
                facts.interoperability = facts.interoperability ?? found.interoperability
            } else if box.isNamed("THMB"), let range = try jpegRange(in: box) {
                places.append((range, .canonThumbnail))
            }
        }
    }

    /// Returns the range of the JPEG after the short header of a box.
    private func jpegRange(in box: FileBox) throws(Failure) -> Range<UInt64>? {
        // The header has 12 to 20 bytes, which depends on the version of the box.
        let headBytesMax = 32
        let count = Int(min(UInt64(headBytesMax), UInt64(box.content.count)))
        guard let head = try bytes(at: box.content.lowerBound, count, before: box.content.upperBound),
            let index = head.indices.dropLast(2).first(where: { head[$0..<($0 + 3)] == [0xFF, 0xD8, 0xFF] })
        else { return nil }
        return (box.content.lowerBound + UInt64(index))..<box.content.upperBound
    }

    /// Returns the first sample of a track.
    private mutating func firstSample(of track: FileBox) throws(Failure) -> Range<UInt64>? {
        var box = track
        for name in ["mdia", "minf", "stbl"] {
            guard visit(box.start), let inner = try boxes(in: box.content).first(where: { $0.isNamed(name) })
            else { return nil }
            box = inner
        }
        var (offset, length): (UInt64, UInt64) = (0, 0)
        for table in try boxes(in: box.content) {
            let (start, end) = (table.content.lowerBound, table.content.upperBound)
            if table.isNamed("stsz"), let head = try bytes(at: start, 12, before: end) {
                // One size for all samples, or a list of sizes.
                length = UInt64(bigEndianBytes: head[4..<8])
                if length == 0, let first = try bytes(at: start + 12, 4, before: end) {
                    length = UInt64(bigEndianBytes: first[...])
                }
            } else if table.isNamed("co64"), let head = try bytes(at: start, 16, before: end) {
                offset = UInt64(bigEndianBytes: head[8..<16])
            } else if table.isNamed("stco"), let head = try bytes(at: start, 12, before: end) {
                offset = UInt64(bigEndianBytes: head[8..<12])
            }
        }
        guard offset > 0, length > 0, offset < size else { return nil }
        return offset..<(offset + min(length, size - offset))
    }
}
