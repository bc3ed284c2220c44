/// The contents of a JPEG's segments before its image data.
struct JPEGHeader: Hashable {
    var width = 0
    var height = 0
    /// The EXIF data.
    var facts = TIFFFacts()
    /// The ranges of the ICC profile in the file, or an empty array.
    var profile: [Range<UInt64>] = []
    /// The ranges of smaller copies of the picture, which the file stores after this JPEG.
    var multiPictures: [Range<UInt64>] = []
}

extension PreviewSearch {
    /// Adds the JPEG at `start`, its smaller copies and its EXIF thumbnail.
    mutating func findInJPEG(at start: UInt64, end: UInt64, kind: PreviewSource.Kind) throws(Failure) {
        guard let header = try jpegHeader(at: start, end: end) else { return }
        append(header, start..<end, kind: kind, fallback: TIFFFacts())
        recordSize(header.facts.size, orientation: header.facts.orientation)
        for range in header.multiPictures {
            try addPreview(
                PreviewPlace(range: range), kind: .multiPicture, facts: header.facts, profile: header.profile)
        }
        for place in header.facts.previews {
            try addPreview(place, kind: .exifThumbnail, facts: header.facts, profile: header.profile)
        }
    }

    /// Reads the segments of a JPEG up to the frame header, which contains the size of the picture.
    ///
    /// - Returns: The header, or `nil` if the place has no JPEG that the decoder can read. For example, the
    ///   decoder cannot read the lossless JPEGs (SOF3) with the sensor data of RAW files.
    mutating func jpegHeader(at start: UInt64, end: UInt64) throws(Failure) -> JPEGHeader? {
        guard visit(start), let first = try bytes(at: start, 3, before: end), first == [0xFF, 0xD8, 0xFF]
        else { return nil }
        var header = JPEGHeader()
        var chunks: [(number: UInt8, count: UInt8, range: Range<UInt64>)] = []
        var offset = start + 2
        for _ in 0..<PreviewFinder.segmentsMax {
            guard let head = try bytes(at: offset, 4, before: end), head[0] == 0xFF else { return nil }
            let marker = head[1]
            // Any number of 0xFF bytes may precede a marker.
            if marker == 0xFF {
                offset += 1
                continue
            }
            // Markers without a length.
            if marker == 0x01 || (0xD0...0xD7).contains(marker) {
                offset += 2
                continue
            }
            let length = UInt64(bigEndianBytes: head[2..<4])
            guard length >= 2, marker != 0xD9, marker != 0xDA else { return nil }
            let segment = (offset + 4)..<(offset + 2 + length)
            guard segment.upperBound <= min(end, size) else { return nil }
            switch marker {
            case 0xC4, 0xC8, 0xCC: break
            case 0xC0...0xCF:
                guard try readFrame(marker, in: segment, into: &header) else { return nil }
                header.profile = Self.profile(of: chunks)
                return header
            case 0xE1: try readEXIF(segment, into: &header)
            case 0xE2:
                if let head = try bytes(at: segment.lowerBound, 14, before: segment.upperBound),
                    head.starts(with: "ICC_PROFILE\0".utf8)
                {
                    chunks.append((head[12], head[13], (segment.lowerBound + 14)..<segment.upperBound))
                } else {
                    try readMultiPictures(segment, into: &header)
                }
            default: break
            }
            offset = segment.upperBound
        }
        return nil
    }

    /// Reads the frame header (SOF). Returns `false` for a frame that the decoder cannot read.
    private func readFrame(
        _ marker: UInt8, in segment: Range<UInt64>, into header: inout JPEGHeader
    ) throws(Failure) -> Bool {
        // Baseline, extended and progressive, with Huffman codes.
        guard (0xC0...0xC2).contains(marker),
            let frame = try bytes(at: segment.lowerBound, 6, before: segment.upperBound)
        else { return false }
        header.height = Int(UInt64(bigEndianBytes: frame[1..<3]))
        header.width = Int(UInt64(bigEndianBytes: frame[3..<5]))
        // Eight bits for each sample; gray or color with three channels.
        return frame[0] == 8 && header.width > 0 && header.height > 0 && (frame[5] == 1 || frame[5] == 3)
    }

    private mutating func readEXIF(
        _ segment: Range<UInt64>, into header: inout JPEGHeader
    ) throws(Failure) {
        guard let head = try bytes(at: segment.lowerBound, 6, before: segment.upperBound),
            head.starts(with: "Exif\0".utf8), header.facts == TIFFFacts()
        else { return }
        header.facts = try tiff(at: segment.lowerBound + 6, end: segment.upperBound)
    }

    /// Returns the ranges of an ICC profile in order, or an empty array if a chunk is missing or the profile
    /// is too large.
    private static func profile(
        of chunks: [(number: UInt8, count: UInt8, range: Range<UInt64>)]
    ) -> [Range<UInt64>] {
        let sorted = chunks.sorted { $0.number < $1.number }
        let isComplete = sorted.enumerated().allSatisfy { index, chunk in
            Int(chunk.number) == index + 1 && Int(chunk.count) == sorted.count
        }
        let bytes = sorted.reduce(UInt64(0)) { $0 + UInt64($1.range.count) }
        return isComplete && bytes <= PreviewFinder.profileBytesMax ? sorted.map(\.range) : []
    }

    // MARK: Multi-picture format

    /// Reads the list of pictures in a file with several pictures. Ignores pictures that are not smaller
    /// copies, for example the parts of a panorama and the gain map of a phone.
    private mutating func readMultiPictures(
        _ segment: Range<UInt64>, into header: inout JPEGHeader
    ) throws(Failure) {
        let base = segment.lowerBound + 4
        guard let head = try bytes(at: segment.lowerBound, 12, before: segment.upperBound),
            head.starts(with: "MPF\0".utf8), header.multiPictures.isEmpty,
            let block = TIFFBlock(head: Array(head[4...]), base: base, end: segment.upperBound)
        else { return }
        let list = base + block.number(head[8..<12])
        guard visit(list), let entries = try readEntries(at: list, in: block) else { return }
        guard let entry = entries.first(where: { $0.tag == 0xB002 }) else { return }
        let count = min(entry.count / 16, UInt64(PreviewFinder.multiPicturesMax))
        guard
            let table = try bytes(
                at: base + entry.offset, Int(count) * 16, before: segment.upperBound)
        else { return }
        for index in 0..<Int(count) {
            let fields = table[(index * 16)..<(index * 16 + 16)]
            let start = fields.startIndex
            let attributes = block.number(fields[start..<(start + 4)])
            let length = block.number(fields[(start + 4)..<(start + 8)])
            let offset = base + block.number(fields[(start + 8)..<(start + 12)])
            // The low three bytes are the type; 0x01____ is a large thumbnail.
            guard attributes & 0xFF_0000 == 0x01_0000, offset < size, length > 0 else { continue }
            header.multiPictures.append(offset..<(offset + min(length, size - offset)))
        }
    }
}
