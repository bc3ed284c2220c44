import PictureProtocol
import Testing

@testable import PictureWorker

/// Tests of orientation, size and facts with known pixels.
@Suite struct PixelTests {
    /// A picture of 3 × 2 pixels, whose red channels are 1 to 6.
    private static var small: Picture {
        Picture(width: 3, height: 2, bytes: (1...6).flatMap { [UInt8($0), UInt8($0 * 10), 0] })
    }

    /// The numbers are the red channels of the upright picture, row by row (EXIF 2.32, tag 0x0112).
    @Test(arguments: [
        (1, 3, [1, 2, 3, 4, 5, 6]), (2, 3, [3, 2, 1, 6, 5, 4]), (3, 3, [6, 5, 4, 3, 2, 1]),
        (4, 3, [4, 5, 6, 1, 2, 3]), (5, 2, [1, 4, 2, 5, 3, 6]), (6, 2, [4, 1, 5, 2, 6, 3]),
        (7, 2, [6, 3, 5, 2, 4, 1]), (8, 2, [3, 6, 2, 5, 1, 4]), (9, 3, [1, 2, 3, 4, 5, 6]),
    ])
    func `turns a picture upright for each EXIF orientation`(orientation: Int, width: Int, reds: [UInt8]) {
        let turned = Self.small.turned(by: orientation)
        #expect(turned.width == width && turned.width * turned.height == 6)
        #expect(stride(from: 0, to: 18, by: 3).map { turned.bytes[$0] } == reds)
        #expect(stride(from: 0, to: 18, by: 3).allSatisfy { turned.bytes[$0 + 1] == turned.bytes[$0] * 10 })
    }

    @Test(arguments: [
        (6_000, 4_000, 512, 512, 341), (4_000, 6_000, 512, 341, 512), (512, 512, 512, 512, 512),
        (300, 200, 512, 300, 200), (65_500, 10, 512, 512, 1),
    ])
    func `fits a size into a box and keeps its proportions`(
        width: Int, height: Int, side: Int, newWidth: Int, newHeight: Int
    ) {
        let size = Picture.size(width: width, height: height, inBox: side)
        #expect(size.width == newWidth && size.height == newHeight)
    }

    @Test(arguments: [(90, 61), (100, 33), (7, 1), (1, 100), (200, 150)])
    func `resampling keeps an area of one color`(width: Int, height: Int) {
        let picture = TestPicture.blocks(7, 5) { _, _ in [13, 255, 0] }
        let resized = picture.resampled(to: (width, height))
        #expect(resized.width == width && resized.height == height)
        #expect(resized.bytes == (0..<(width * height)).flatMap { _ in [13, 255, 0] as [UInt8] })
    }

    @Test func `resampling keeps the place of colors and reduces fine patterns to gray`() {
        let halves = TestPicture.blocks(8, 2) { column, _ in column < 4 ? [200, 0, 0] : [0, 0, 200] }
        let reduced = halves.resampled(to: (32, 8))
        #expect(reduced.color(0, 0) == [200, 0, 0] && reduced.color(13, 7) == [200, 0, 0])
        #expect(reduced.color(18, 0) == [0, 0, 200] && reduced.color(31, 7) == [0, 0, 200])
        let stripes = Picture(
            width: 256, height: 4,
            bytes: (0..<1_024).flatMap { [UInt8]($0 % 2 == 0 ? [255, 255, 255] : [0, 0, 0]) })
        let gray = stripes.resampled(to: (32, 4))
        // Each pixel at the border covers fewer source pixels.
        #expect((2..<30).allSatisfy { abs(Int(gray.color($0, 1)[0]) - 127) <= 2 })
    }

    @Test func `computes the histogram, the mean color and the clipping of known pixels`() {
        let pixels: [[UInt8]] = [[0, 0, 0], [255, 0, 0], [255, 255, 255], [10, 20, 30], [0, 0, 1]]
        let facts = PictureFacts(Picture(width: 5, height: 1, bytes: pixels.flatMap(\.self)))
        #expect(facts.clippedShadows == 2_000 && facts.clippedHighlights == 4_000)
        #expect(facts.meanColor == PictureColor(red: 104, green: 55, blue: 57))
        let channels = [facts.histogram.red, facts.histogram.green, facts.histogram.blue]
        for (channel, counts) in channels.enumerated() {
            for level in 0...255 {
                let expected = pixels.count { Int($0[channel]) == level }
                #expect(Int(counts[level]) == expected, "channel \(channel), level \(level)")
            }
        }
    }

    @Test func `the facts of an empty picture are 0`() {
        let facts = PictureFacts(Picture(width: 0, height: 0, bytes: []))
        #expect(facts.histogram == PictureHistogram() && facts.clippedHighlights == 0)
        #expect(facts.meanColor == PictureColor(red: 0, green: 0, blue: 0))
    }
}
