import PictureProtocol

/// The mean color, the histogram and the clipping of a picture in sRGB.
struct PictureFacts {
    let meanColor: PictureColor
    let histogram: PictureHistogram
    /// The share of pixels whose three channels are 0, in 1/10,000.
    let clippedShadows: Int
    /// The share of pixels with at least one channel at 255, in 1/10,000.
    let clippedHighlights: Int

    init(_ picture: Picture) {
        let levels = PictureHistogram.levels
        var counts = [UInt32](repeating: 0, count: 3 * levels)
        var (shadows, highlights) = (0, 0)
        let pixels = picture.width * picture.height
        picture.bytes.withUnsafeBufferPointer { bytes in
            counts.withUnsafeMutableBufferPointer { counts in
                for index in 0..<pixels {
                    let (red, green, blue) = (bytes[index * 3], bytes[index * 3 + 1], bytes[index * 3 + 2])
                    counts[Int(red)] += 1
                    counts[levels + Int(green)] += 1
                    counts[2 * levels + Int(blue)] += 1
                    if red | green | blue == 0 { shadows += 1 }
                    if max(red, green, blue) == 255 { highlights += 1 }
                }
            }
        }
        let channels = (0..<3).map { Array(counts[($0 * levels)..<(($0 + 1) * levels)]) }
        histogram =
            PictureHistogram(red: channels[0], green: channels[1], blue: channels[2]) ?? PictureHistogram()
        let means = channels.map { Self.mean(of: $0, pixels: pixels) }
        meanColor = PictureColor(red: means[0], green: means[1], blue: means[2])
        clippedShadows = Self.share(shadows, of: pixels)
        clippedHighlights = Self.share(highlights, of: pixels)
    }

    private static func mean(of counts: [UInt32], pixels: Int) -> UInt8 {
        guard pixels > 0 else { return 0 }
        let sum = counts.enumerated().reduce(0) { $0 + $1.offset * Int($1.element) }
        return UInt8(clamping: (sum + pixels / 2) / pixels)
    }

    private static func share(_ count: Int, of pixels: Int) -> Int {
        pixels > 0 ? (count * 10_000 + pixels / 2) / pixels : 0
    }
}
