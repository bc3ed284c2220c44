/// JPEGs for tests of the preview finder.
public enum SampleJPEG {
    /// Returns a JPEG with a frame header and without image data. The picture cannot be decoded.
    ///
    /// - Parameters:
    ///   - frame: The marker of the frame header: 0xC0 for baseline, 0xC2 for progressive, 0xC3 for lossless.
    ///   - segments: Segments before the frame header.
    public static func header(
        width: Int, height: Int, frame: UInt8 = 0xC0, segments: [[UInt8]] = []
    ) -> [UInt8] {
        let size = [height, width].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let channels: [UInt8] = [3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]
        let start: [UInt8] = [0xFF, 0xD8]
        let scan: [UInt8] = [0xFF, 0xDA, 0, 2, 0x12, 0x34, 0xFF, 0xD9]
        return adding(segments, to: start + segment(frame, [8] + size + channels) + scan)
    }

    /// Returns a JPEG with further segments before its own segments.
    public static func adding(_ segments: [[UInt8]], to jpeg: [UInt8]) -> [UInt8] {
        Array(jpeg[..<2]) + segments.flatMap(\.self) + Array(jpeg[2...])
    }

    /// Returns a segment with its marker and its length.
    public static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
        let length = body.count + 2
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + body
    }

    /// Returns an EXIF segment.
    ///
    /// - Parameter tiff: A TIFF block, for example of ``SampleTIFF``.
    public static func exif(_ tiff: [UInt8]) -> [UInt8] { segment(0xE1, Array("Exif\0\0".utf8) + tiff) }

    /// Returns the segments of an ICC profile.
    ///
    /// - Parameter pieces: The parts of the profile, in order.
    public static func profile(_ pieces: [[UInt8]]) -> [[UInt8]] {
        pieces.enumerated().map { index, piece in
            segment(0xE2, Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), UInt8(pieces.count)] + piece)
        }
    }

    /// Returns a file with several pictures (CIPA DC-007).
    ///
    /// - Parameter others: The pictures after the main picture, with their types. 0x010002 is a large
    ///   thumbnail, and 0x020001 is a part of a panorama.
    public static func multiPicture(
        _ main: [UInt8], others: [(type: UInt32, jpeg: [UInt8])]
    ) -> [UInt8] {
        // Offsets count from the TIFF block, which follows the first two bytes of the file and the 8 bytes
        // of the segment's header.
        let base = 10
        let bytes = SampleTIFF.littleEndian
        let tableBytes = 16 * (others.count + 1)
        let directoryBytes = 2 + 2 * 12 + 4
        var body = Array("MPF\0II*\0".utf8)
        body += [bytes(8, 4), bytes(2, 2)].flatMap(\.self)
        body += [bytes(0xB001, 2), bytes(4, 2), bytes(1, 4), bytes(UInt32(others.count + 1), 4)].flatMap(
            \.self)
        body += [bytes(0xB002, 2), bytes(7, 2), bytes(UInt32(tableBytes), 4)].flatMap(\.self)
        body += [bytes(UInt32(8 + directoryBytes), 4), bytes(0, 4)].flatMap(\.self)
        var offset = main.count + body.count + tableBytes + 4
        var table = [bytes(0x2003_0000, 4), bytes(UInt32(offset), 4), bytes(0, 8)].flatMap(\.self)
        for other in others {
            table += bytes(other.type, 4) + bytes(UInt32(other.jpeg.count), 4)
            table += bytes(UInt32(offset - base), 4) + bytes(0, 4)
            offset += other.jpeg.count
        }
        return adding([segment(0xE2, body + table)], to: main) + others.flatMap(\.jpeg)
    }
}
