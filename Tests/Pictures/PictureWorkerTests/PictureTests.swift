import Foundation
import Testing

@testable import PictureWorker

@Suite struct PictureTests {
    private static func picture(_ width: Int, _ height: Int) -> Picture {
        Picture(
            width: width, height: height,
            bytes: (0..<(width * height)).flatMap { [UInt8($0 % width), UInt8($0 / width), 200] })
    }

    @Test(arguments: [
        (100, 50, 50, 50, 50, 25), (100, 50, 1_000, 1_000, 100, 50), (50, 100, 50, 50, 25, 50),
        (200, 2, 10, 10, 10, 1),
    ])
    func `reduces a picture to fit a box and keeps its proportions`(
        width: Int, height: Int, boxWidth: Int, boxHeight: Int, newWidth: Int, newHeight: Int
    ) {
        var picture = Self.picture(width, height)
        picture.shrink(to: (boxWidth, boxHeight))
        #expect(picture.width == newWidth && picture.height == newHeight)
        #expect(picture.bytes.count == newWidth * newHeight * 3)
        // Red increases from left to right in the original picture and in the reduced picture.
        #expect(picture.bytes[0] <= picture.bytes[(newWidth - 1) * 3])
        #expect(stride(from: 2, to: picture.bytes.count, by: 3).allSatisfy { picture.bytes[$0] == 200 })
    }

    @Test(arguments: [[], [0xFF], [0xFF, 0xD8, 0xFF, 0xD9], Array("hello".utf8)] as [[UInt8]])
    func `decoding returns nil for data that is not a JPEG`(bytes: [UInt8]) {
        #expect(Picture(jpeg: bytes, fitting: (10, 10)) == nil)
    }
}
