/// A generator of valid photo files of any requested size. The generator is fast enough to run between two
/// shots.
struct GeneratedPhoto {
    let metadata: ShotMetadata
    let pool: PaddingPool

    private static let columns = 60
    private static let rows = 40
    private static let thumbnailColumns = 20
    private static let thumbnailRows = 15

    /// The width of the picture, in pixels.
    static let width = columns * 8
    /// The height of the picture, in pixels.
    static let height = rows * 8
    /// The width of the thumbnail, in pixels.
    static let thumbnailWidth = thumbnailColumns * 8
    /// The height of the thumbnail, in pixels.
    static let thumbnailHeight = thumbnailRows * 8

    /// A JPEG thumbnail of 160 × 120 pixels.
    var thumbnail: [UInt8] {
        BlockJPEG.file(
            BlockPicture(columns: Self.thumbnailColumns, rows: Self.thumbnailRows, number: metadata.number))
    }

    /// Returns a JPEG of exactly `size` bytes, or slightly more if `size` is too small for a picture with
    /// EXIF.
    func jpeg(size: Int, thumbnail: [UInt8]) -> ByteRope {
        var head = ByteWriter(capacity: 8192)
        head.raw(BlockJPEG.startOfImage)
        BlockJPEG.segment(0xE1, exif(thumbnail: thumbnail), to: &head)
        let body = BlockJPEG.body(
            BlockPicture(columns: Self.columns, rows: Self.rows, number: metadata.number))
        let gap = max(0, size - head.bytes.count - body.count)
        // Fills the gap with complete segments from the pool, and the rest with one or two shorter segments.
        // A segment has at least 4 bytes.
        var whole = gap / PaddingPool.segmentBytes
        var rest = gap % PaddingPool.segmentBytes
        if rest > 0 && rest < 4 && whole > 0 {
            whole -= 1
            rest += PaddingPool.segmentBytes
        }
        var rope = ByteRope(head.bytes)
        while rest >= 4 {
            var part = min(rest, PaddingPool.segmentBytes - 4)
            if rest - part > 0 && rest - part < 4 { part -= 4 }
            rope.append(ByteRope(BlockJPEG.segmentHeader(BlockJPEG.padding, payload: part - 4)))
            rope.append(pool.noise(bytes: part - 4, shot: metadata.number))
            rest -= part
        }
        rope.append(pool.stretch(segments: whole, shot: metadata.number))
        rope.append(ByteRope(body))
        return rope
    }

    private func exif(thumbnail: [UInt8]) -> [UInt8] {
        let header: [UInt8] = [0x49, 0x49, 0x2A, 0x00, 8, 0, 0, 0]
        let main = metadata.directory(width: Self.width, height: Self.height)
        var preview = TIFFDirectory()
        preview[0x0103] = .short([6])
        preview[0x0201] = .blob(thumbnail)
        preview[0x0202] = .long([UInt32(thumbnail.count)])
        let first = main.encoded(at: header.count, followedByAnother: true)
        let second = preview.encoded(at: header.count + first.count)
        return Array("Exif\0\0".utf8) + header + first + second
    }
}
