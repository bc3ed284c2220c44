/// Boxes of an ISO file (ISO 14496-12), of which Canon's CR3 is one: where its JPEGs lie, and how they are to be turned.
/// Names of Canon's boxes are those of the field's description of the format (lclevy/canon_cr3).
struct BoxReader {
    /// Most boxes of one box that are walked.
    private static let boxesMax = 256
    /// Bytes of the head of the picture in a `PRVW` box.
    private static let previewHeadBytes: UInt64 = 24

    private static let canonBox: [UInt8] = [
        0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
    ]
    private static let previewBox: [UInt8] = [
        0xEA, 0xF4, 0x2B, 0x5E, 0x1C, 0x98, 0x4B, 0x88, 0xB9, 0xFB, 0xB7, 0xDC, 0x40, 0x6E, 0x4D, 0x16,
    ]

    private struct Box {
        var name: [UInt8]
        /// Where its content begins, and how long it is.
        var start: UInt64
        var count: UInt64
        /// Of a `uuid` box.
        var identifier: [UInt8] = []
    }

    let source: any ByteSource

    /// How the picture is to be turned: the first of Canon's blocks of EXIF says so.
    var orientation: Orientation? {
        guard let movie = child("moov", of: whole),
            let canon = boxes(movie).first(where: { $0.identifier == Self.canonBox }),
            let block = child("CMT1", of: canon),
            let part = PartOfBytes(source, at: block.start, count: block.count)
        else { return nil }
        return TIFFReader(part)?.orientation
    }

    /// Whether its pictures are in Adobe RGB: the second block says so.
    var isAdobeRGB: Bool {
        guard let movie = child("moov", of: whole),
            let canon = boxes(movie).first(where: { $0.identifier == Self.canonBox }),
            let block = child("CMT2", of: canon),
            let part = PartOfBytes(source, at: block.start, count: block.count)
        else { return false }
        return TIFFReader(part)?.isAdobeRGB ?? false
    }

    /// Places of what may be JPEGs: the preview's, and the one of the first track.
    var jpegs: [(offset: UInt64, count: UInt64)] {
        var found: [(offset: UInt64, count: UInt64)] = []
        if let preview = boxes(whole).first(where: { $0.identifier == Self.previewBox }),
            // A number stands before the box in it.
            let inner = boxes(
                Box(name: [], start: preview.start + 8, count: preview.count - min(preview.count, 8))
            ).first(where: { $0.name.elementsEqual("PRVW".utf8) })
        {
            let head = Self.previewHeadBytes - 8
            if inner.count > head { found.append((inner.start + head, inner.count - head)) }
        }
        if let movie = child("moov", of: whole), let track = child("trak", of: movie),
            let table = ["mdia", "minf", "stbl"].reduce(
                Optional(track),
                { box, name in
                    box.flatMap { child(name, of: $0) }
                }), let offsets = child("co64", of: table), let sizes = child("stsz", of: table),
            // One chunk, one sample: version and flags, then numbers.
            let offset = source.number(at: offsets.start + 8, bytes: 8),
            let size = source.number(at: sizes.start + 4, bytes: 4),
            let listed = size > 0 ? size : source.number(at: sizes.start + 12, bytes: 4)
        {
            found.append((offset, listed))
        }
        return found
    }

    private var whole: Box { Box(name: [], start: 0, count: source.count) }

    private func child(_ name: String, of box: Box) -> Box? {
        boxes(box).first { $0.name.elementsEqual(name.utf8) }
    }

    private func boxes(_ parent: Box) -> [Box] {
        var found: [Box] = []
        var offset = parent.start
        let end = parent.start + min(parent.count, source.count - min(parent.start, source.count))
        while found.count < Self.boxesMax, offset + 8 <= end,
            var length = source.number(at: offset, bytes: 4),
            let name = source.bytes(at: offset + 4, count: 4)
        {
            var head: UInt64 = 8
            if length == 1 {
                guard let long = source.number(at: offset + 8, bytes: 8) else { break }
                (length, head) = (long, 16)
            } else if length == 0 {
                length = end - offset
            }
            guard length >= head, length <= end - offset else { break }
            var box = Box(name: name, start: offset + head, count: length - head)
            if name.elementsEqual("uuid".utf8), box.count >= 16 {
                box.identifier = source.bytes(at: box.start, count: 16) ?? []
                (box.start, box.count) = (box.start + 16, box.count - 16)
            }
            found.append(box)
            offset += length
        }
        return found
    }
}
