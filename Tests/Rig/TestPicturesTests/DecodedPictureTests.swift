import FrameFastModel
import TestPictures
import Testing

@testable import PictureWorker

/// Tests of the generated files with the product's decoder, rating reader and structure check.
@Suite struct DecodedPictureTests {
    private func decode(_ bytes: some Sequence<UInt8>, _ width: Int, _ height: Int) -> Picture? {
        Picture(jpeg: Array(bytes), fitting: (width, height))
    }

    /// Returns the wrong corners of a JPEG with the colors of sRGB.
    private func wrongCorners(
        _ bytes: some Sequence<UInt8>, _ width: Int, _ height: Int, orientation: Int = 1
    ) throws -> [String] {
        let picture = try #require(decode(bytes, width, height))
        #expect(picture.width == width && picture.height == height)
        return TestPicture.wrongCorners(
            in: picture.bytes, width: picture.width, height: picture.height, orientation: orientation)
    }

    @Test(arguments: ["", "progressive", "smooth", "no-thumbnail,mpf,gps", "1000x667", "65x130"])
    func `a JPEG decodes to the patches of its scene`(words: String) throws {
        let file = try TestPicture(.jpeg, words)
        #expect(try wrongCorners(file.bytes, file.width, file.height).isEmpty)
    }

    @Test(arguments: 1...8)
    func `a JPEG is stored in the requested orientation`(orientation: Int) throws {
        let file = try TestPicture(.jpeg, "orientation=\(orientation)")
        #expect(file.orientation == orientation)
        #expect(try wrongCorners(file.bytes, 480, 320, orientation: orientation).isEmpty)
        // The four corners differ, so every other orientation has wrong corners.
        for other in 1...8 where other != orientation {
            #expect(try !wrongCorners(file.bytes, 480, 320, orientation: other).isEmpty)
        }
    }

    @Test(arguments: TestPicture.Format.allCases)
    func `each embedded JPEG shows the same scene`(format: TestPicture.Format) throws {
        let file = try TestPicture(format, "mpf,orientation=8")
        #expect(!file.embedded.isEmpty)
        for picture in file.embedded {
            #expect(
                try wrongCorners(
                    file.bytes[picture.range], picture.width, picture.height, orientation: 8
                ).isEmpty, "\(picture.role)")
        }
    }

    @Test func `an Adobe RGB picture stores other values than sRGB for the same red`() throws {
        for words in ["adobe-rgb", "adobe-icc"] {
            let file = try TestPicture(.jpeg, words)
            let picture = try #require(decode(file.bytes, file.width, file.height))
            // sRGB (230, 30, 30) in Adobe RGB.
            let red = picture.bytes[..<3].map { Int($0) }
            #expect(zip(red, [198, 35, 35]).allSatisfy { abs($0 - $1) <= 3 }, "\(red)")
        }
    }

    @Test func `a smooth picture has one color in each patch`() throws {
        let file = try TestPicture(.jpeg, "smooth")
        let picture = try #require(decode(file.bytes, file.width, file.height))
        let first = Array(picture.bytes[..<3])
        // The patch has 120 × 80 pixels. No JPEG block of the patch crosses an edge of the patch.
        for row in 0..<80 {
            for column in 0..<120 {
                let start = (row * picture.width + column) * 3
                #expect(Array(picture.bytes[start..<start + 3]) == first)
            }
        }
    }

    @Test(arguments: ["broken=lossless", "broken=huge", "broken=noise"])
    func `the decoder refuses a broken JPEG`(words: String) throws {
        let file = try TestPicture(.jpeg, words)
        #expect(decode(file.bytes, 480, 320) == nil)
    }

    @Test(arguments: TestPicture.Format.raw)
    func `the decoder refuses defective large JPEGs of a RAW file`(format: TestPicture.Format) throws {
        for defect in ["lossless", "huge"] {
            let file = try TestPicture(format, "broken=\(defect)")
            for picture in file.embedded where picture.role != .thumbnail {
                #expect(decode(file.bytes[picture.range], 480, 320) == nil, "\(defect) \(picture.role)")
            }
        }
    }

    @Test(arguments: TestPicture.Format.allCases)
    func `the service finds the rating in a file of each format`(format: TestPicture.Format) throws {
        for words in ["", "big-endian"] {
            let file = try TestPicture(format, words, rating: 3)
            let rating = RatingReader.rating(size: UInt64(file.bytes.count)) { file.read($0, $1) }
            #expect(rating == 3, "\(words)")
        }
    }

    @Test(arguments: TestPicture.Format.allCases)
    func `the structure check accepts a valid file`(format: TestPicture.Format) throws {
        for words in ["", "mpf,gps,adobe-icc", "big-endian,no-full", "no-thumbnail", "broken=cycle"] {
            let file = try TestPicture(format, words)
            #expect(outcome(file) == .whole, "\(words)")
        }
    }

    @Test(arguments: TestPicture.Format.allCases)
    func `the structure check finds a truncated file`(format: TestPicture.Format) throws {
        #expect(try outcome(TestPicture(format, "broken=truncated")) != .whole)
    }

    private func outcome(_ file: TestPicture) -> StructureCheck.Outcome {
        StructureCheck.check(name: file.fileName, size: UInt64(file.bytes.count)) { file.read($0, $1) }
    }
}
