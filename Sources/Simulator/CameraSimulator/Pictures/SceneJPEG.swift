/// A JPEG encoder (ITU T.81) for a scene: three components of 8 bits without subsampling, baseline or
/// progressive.
struct SceneJPEG {
    /// The scene, in the orientation of the stored picture.
    var scene: PictureScene
    /// The number of the shot, which selects the fine details.
    var number: Int
    /// The width of the stored picture, in pixels.
    var width: Int
    /// The height of the stored picture, in pixels.
    var height: Int
    /// Whether the gradient has fine details.
    var hasGrain = true
    var isProgressive = false
    /// The width and height in the frame header, in pixels, or `nil` for the true size.
    var announcedSide: UInt16?

    /// The complete JPEG without EXIF.
    var file: [UInt8] { BlockJPEG.startOfImage + body }

    /// Everything from the quantization table to the end-of-image marker.
    var body: [UInt8] {
        var out = ByteWriter(capacity: 1024 + width * height / 4)
        let table = [UInt8](repeating: UInt8(SceneBlock.quantizer), count: 64)
        BlockJPEG.segment(0xDB, [0] + table, to: &out)
        var frame = ByteWriter()
        frame.u8(8)
        frame.big16(announcedSide ?? UInt16(height))
        frame.big16(announcedSide ?? UInt16(width))
        frame.raw([3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0])
        BlockJPEG.segment(isProgressive ? 0xC2 : 0xC0, frame.bytes, to: &out)
        for huffman in [HuffmanTable.dc, .ac] { BlockJPEG.segment(0xC4, huffman.definition, to: &out) }
        if isProgressive {
            // The first scan contains all DC coefficients. Each further scan contains the AC coefficients
            // of one component. With end-of-band runs of length 1, their codes are those of a baseline JPEG.
            writeScan([0, 1, 2], 0...0, to: &out)
            for component in 0..<3 { writeScan([component], 1...63, to: &out) }
        } else {
            writeScan([0, 1, 2], 0...63, to: &out)
        }
        out.raw([0xFF, 0xD9])
        return out.bytes
    }

    /// Writes a scan with some components and some coefficients of all blocks.
    private func writeScan(
        _ components: [Int], _ coefficients: ClosedRange<UInt8>, to out: inout ByteWriter
    ) {
        var header = [UInt8(components.count)]
        for component in components { header += [UInt8(component + 1), 0x00] }
        header += [coefficients.lowerBound, coefficients.upperBound, 0]
        BlockJPEG.segment(0xDA, header, to: &out)
        var bits = ScanWriter()
        var last = [0, 0, 0]
        for row in 0..<(height + 7) / 8 {
            for column in 0..<(width + 7) / 8 {
                let block = block(column: column, row: row)
                for component in components {
                    let part = block.components[component]
                    if coefficients.lowerBound == 0 {
                        bits.append(difference: part.dc - last[component], .dc)
                        last[component] = part.dc
                    }
                    guard coefficients.upperBound > 0 else { continue }
                    for code in part.ac { bits.append(code) }
                }
            }
        }
        out.raw(bits.finished())
    }

    private func block(column: Int, row: Int) -> SceneBlock {
        let (scaleX, scaleY) = (1 / Double(width), 1 / Double(height))
        let (left, top) = (Double(column * 8), Double(row * 8))
        let first = scene.upright(left * scaleX, top * scaleY)
        let last = scene.upright((left + 8) * scaleX, (top + 8) * scaleY)
        let middle = scene.upright((left + 4) * scaleX, (top + 4) * scaleY)
        let (u, v) = (
            min(first.u, last.u)...max(first.u, last.u), min(first.v, last.v)...max(first.v, last.v)
        )
        func place(_ x: Double, _ y: Double) -> (u: Double, v: Double) {
            scene.upright((left + x + 0.5) * scaleX, (top + y + 0.5) * scaleY)
        }
        if !scene.isOnlyGradient(u, v) {
            // Nine samples find each dot of the digits that is at least four pixels wide.
            var samples: [PictureScene.Region] = []
            for y in [0.0, 3, 7] {
                for x in [0.0, 3, 7] {
                    let at = place(x, y)
                    samples.append(scene.region(at.u, at.v))
                }
            }
            if samples.contains(where: { $0 != samples[0] }) {
                let pixels = (0..<64).map { (index: Int) -> SceneColor in
                    let at = place(Double(index % 8), Double(index / 8))
                    return scene.color(of: scene.region(at.u, at.v), at.u)
                }
                return SceneBlock(pixels)
            }
            if samples[0] != .gradient { return SceneBlock(scene.color(of: samples[0], middle.u)) }
        }
        let pattern = (column &* 7_919 &+ row &* 104_729 &+ number &* 1_299_709) >> 3
        return SceneBlock(
            scene.color(of: .gradient, middle.u), grain: hasGrain ? pattern & Int.max : nil)
    }
}
