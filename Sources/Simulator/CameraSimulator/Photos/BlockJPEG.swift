/// An encoder that turns a ``BlockPicture`` into a baseline JPEG (ITU T.81), three components, no
/// subsampling.
enum BlockJPEG {
    /// The start-of-image marker.
    static let startOfImage: [UInt8] = [0xFF, 0xD8]

    /// The marker of padding segments: APP15, which programs ignore.
    static let padding: UInt8 = 0xEF

    /// Returns a complete JPEG without EXIF, for example a thumbnail.
    static func file(_ picture: BlockPicture) -> [UInt8] { startOfImage + body(picture) }

    /// Returns everything from the quantization table to the end-of-image marker.
    static func body(_ picture: BlockPicture) -> [UInt8] {
        var out = ByteWriter(capacity: 1024 + picture.blocks.count * 3)
        segment(0xDB, [0] + [UInt8](repeating: 8, count: 64), to: &out)
        var frame = ByteWriter()
        frame.u8(8)
        frame.big16(UInt16(picture.rows * 8))
        frame.big16(UInt16(picture.columns * 8))
        frame.raw([3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0])
        segment(0xC0, frame.bytes, to: &out)
        segment(0xC4, HuffmanTable.dc.definition, to: &out)
        // The only AC symbol in use is end-of-block, a code of one bit.
        segment(0xC4, [0x10] + [1] + [UInt8](repeating: 0, count: 15) + [0], to: &out)
        segment(0xDA, [3, 1, 0x00, 2, 0x00, 3, 0x00, 0, 63, 0], to: &out)
        out.raw(scan(picture))
        out.raw([0xFF, 0xD9])
        return out.bytes
    }

    /// Appends a marker segment. The segment's length field also counts the two bytes of the field itself.
    static func segment(_ marker: UInt8, _ payload: [UInt8], to out: inout ByteWriter) {
        out.raw(segmentHeader(marker, payload: payload.count))
        out.raw(payload)
    }

    /// Returns the marker and the length field of a segment.
    static func segmentHeader(_ marker: UInt8, payload: Int) -> [UInt8] {
        [0xFF, marker, UInt8((payload + 2) >> 8), UInt8((payload + 2) & 0xFF)]
    }

    private static func scan(_ picture: BlockPicture) -> [UInt8] {
        var bits = ScanWriter()
        var last = (y: 0, cb: 0, cr: 0)
        for block in picture.blocks {
            // With a quantizer of 8, the DC coefficient of a flat block is its level minus 128.
            let now = (y: Int(block.y) - 128, cb: Int(block.cb) - 128, cr: Int(block.cr) - 128)
            if now == last {
                // The code for three unchanged coefficients, each followed by end-of-block.
                bits.append(0, 9)
                continue
            }
            for difference in [now.y - last.y, now.cb - last.cb, now.cr - last.cr] {
                bits.append(difference: difference, .dc)
                bits.append(0, 1)  // end of block
            }
            last = now
        }
        return bits.finished()
    }
}
