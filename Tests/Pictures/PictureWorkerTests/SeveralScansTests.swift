import CJPEG
import Foundation
import Glibc
import PictureProtocol
import TestRig
import Testing

@testable import PictureWorker

/// Tests of JPEGs with several scans, which libjpeg holds in memory as a whole.
@Suite(.blocking) struct SeveralScansTests {
    /// A JPEG of 32 × 32 pixels with 4:2:0 subsampling, whose left half is red and whose right half is blue.
    enum Sample: CaseIterable {
        /// Three scans with one channel each.
        case separateChannels
        /// Ten scans with the usual progression.
        case progressive

        func jpeg() throws -> [UInt8] {
            let text = self == .progressive ? Self.progressiveText : Self.separateText
            return [UInt8](try #require(Data(base64Encoded: text)))
        }

        /// Returns the JPEG with another size in its frame header. Its image data then ends too early.
        func jpeg(width: Int, height: Int) throws -> [UInt8] {
            var bytes = try jpeg()
            let frame: [UInt8] = [0xFF, self == .progressive ? 0xC2 : 0xC0, 0, 17, 8]
            let found = bytes.indices.first { bytes[$0...].starts(with: frame) }
            let place = try #require(found)
            let size = [height, width].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            bytes.replaceSubrange((place + 5)..<(place + 9), with: size)
            return bytes
        }

        private static let separateText = """
            /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsL\
            EBYQERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU\
            FBQUFBQUFBQUFBQUFBQUFBQUFBT/wAARCAAgACADASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAAcI/8QAFBAB\
            AAAAAAAAAAAAAAAAAAAAAP/aAAgBAQAAPwDJQjgsYjgsYjgsYjg//8QAFQEBAQAAAAAAAAAAAAAAAAAACQf/xAAUEQEA\
            AAAAAAAAAAAAAAAAAAAA/9oACAECEQA/AJIWYTJZn//EABQBAQAAAAAAAAAAAAAAAAAAAAn/xAAUEQEAAAAAAAAAAAAA\
            AAAAAAAA/9oACAEDEQA/AELGSTYZL//Z
            """
        private static let progressiveText = """
            /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsL\
            EBYQERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU\
            FBQUFBQUFBQUFBQUFBQUFBQUFBT/wgARCAAgACADASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAAYH/8QAFQEB\
            AQAAAAAAAAAAAAAAAAAACAb/2gAMAwEAAhADEAAAAckEihY4LMyWIJibjgszJ//EABQQAQAAAAAAAAAAAAAAAAAAAED/\
            2gAIAQEAAQUCB//EABQRAQAAAAAAAAAAAAAAAAAAACD/2gAIAQMBAT8BH//EABQRAQAAAAAAAAAAAAAAAAAAACD/2gAI\
            AQIBAT8BH//EABQQAQAAAAAAAAAAAAAAAAAAAED/2gAIAQEABj8CB//EABQQAQAAAAAAAAAAAAAAAAAAAED/2gAIAQEA\
            AT8hB//aAAwDAQACAAMAAAAQ/D/D/8QAFBEBAAAAAAAAAAAAAAAAAAAAIP/aAAgBAwEBPxAf/8QAFBEBAAAAAAAAAAAA\
            AAAAAAAAIP/aAAgBAgEBPxAf/8QAFBABAAAAAAAAAAAAAAAAAAAAQP/aAAgBAQABPxAH/9k=
            """
    }

    private let folder: DescriptorFolder

    init() throws { folder = try DescriptorFolder() }

    private func run(
        _ task: PictureTask, _ photo: [UInt8]
    ) throws -> (result: PictureResult, file: [UInt8]) {
        let files = try folder.open(photo)
        defer { files.closeAll() }
        let request = PictureRequest(number: 1, task: task)
        let result = PictureJob(request: request, photo: files.photo, file: files.result).run()
        return (result, try files.content())
    }

    @Test(arguments: Sample.allCases)
    func `makes a thumbnail`(sample: Sample) throws {
        let (result, file) = try run(.thumbnail, sample.jpeg())
        #expect(result.status == .ready && result.width == 32 && result.height == 32)
        let picture = try TestPicture.decode(file)
        let (left, right) = (picture.color(4, 16), picture.color(27, 16))
        #expect(left[0] > 180 && left[2] < 20 && right[0] < 20 && right[2] > 180)
    }

    @Test(arguments: Sample.allCases)
    func `refuses a picture whose coefficients exceed the limit`(sample: Sample) throws {
        // With 4:2:0 subsampling, the coefficients of 144 million pixels need 432 MB.
        let (result, file) = try run(.thumbnail, sample.jpeg(width: 12_000, height: 12_000))
        #expect(result.status == .tooLarge && file.isEmpty)
    }

    @Test(arguments: Sample.allCases)
    func `copies a picture of 60 million pixels`(sample: Sample) throws {
        let jpeg = try sample.jpeg(width: 9_504, height: 6_336)
        let (result, file) = try run(.fullSize, jpeg)
        #expect(result.status == .ready && result.width == 9_504 && file == jpeg)
    }

    @Test(arguments: Sample.allCases)
    func `decoders for a box and for a minimum size enforce the same limits`(sample: Sample) throws {
        let jpeg = try sample.jpeg()
        // 16 blocks of luminance and 2 × 4 blocks of color, with 64 coefficients of two bytes each.
        let needed: UInt64 = 24 * 64 * 2
        #expect(Self.decode(jpeg, coefficientBytes: needed) == [0, 0])
        #expect(Self.decode(jpeg, coefficientBytes: needed - 1) == [EFBIG, EFBIG])
        #expect(Self.decode(jpeg, latest: 0) == [ETIME, ETIME])
        #expect(Self.decode(jpeg, pixels: 1_023) == [EFBIG, EFBIG])
    }

    /// Returns the status codes of two decoders: for a box, and for a minimum size.
    private static func decode(
        _ jpeg: [UInt8], pixels: UInt64 = 1_024, coefficientBytes: UInt64 = .max, latest: UInt64 = .max
    ) -> [Int32] {
        var limits = framefast_jpeg_limits(
            most_pixels: pixels, most_coefficient_bytes: coefficientBytes, latest_processor_time: latest)
        var (first, second): (UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?) = (nil, nil)
        var (width, height): (UInt32, UInt32) = (0, 0)
        let box = framefast_decode_jpeg_for_box(
            jpeg, jpeg.count, 512, &limits, &first, &width, &height)
        let least = framefast_decode_jpeg(
            jpeg, jpeg.count, 10, 10, &limits, &second, &width, &height)
        free(first)
        free(second)
        return [box, least]
    }
}
