/// An encoder of lossless JPEG (ITU T.81, annex H). RAW files contain sensor data in this format. Decoders of
/// pictures do not support it.
enum LosslessJPEG {
    /// The number of bits of a sample.
    private static let sampleBits = 14

    /// Returns a complete JPEG with one component: the brightness of a scene.
    static func file(_ scene: PictureScene, width: Int, height: Int) -> [UInt8] {
        BlockJPEG.startOfImage + body(scene, width: width, height: height)
    }

    /// Returns everything from the Huffman table to the end-of-image marker.
    static func body(_ scene: PictureScene, width: Int, height: Int) -> [UInt8] {
        var out = ByteWriter(capacity: width * height * 2)
        BlockJPEG.segment(0xC4, HuffmanTable.lossless.definition, to: &out)
        var frame = ByteWriter()
        frame.u8(UInt8(sampleBits))
        frame.big16(UInt16(height))
        frame.big16(UInt16(width))
        frame.raw([1, 1, 0x11, 0])
        BlockJPEG.segment(0xC3, frame.bytes, to: &out)
        // Predictor 1: the sample to the left.
        BlockJPEG.segment(0xDA, [1, 1, 0x00, 1, 0, 0], to: &out)
        var bits = ScanWriter()
        var above = 1 << (sampleBits - 1)
        for row in 0..<height {
            var prediction = above
            for column in 0..<width {
                let color = scene.color(
                    (Double(column) + 0.5) / Double(width), (Double(row) + 0.5) / Double(height))
                let sample = Int(color.components[0] * 64)
                bits.append(difference: sample - prediction, .lossless)
                if column == 0 { above = sample }
                prediction = sample
            }
        }
        out.raw(bits.finished())
        out.raw([0xFF, 0xD9])
        return out.bytes
    }
}
