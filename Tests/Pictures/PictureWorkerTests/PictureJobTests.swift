import Glibc
import PictureProtocol
import PreviewSamples
import SystemIO
import TestRig
import Testing

@testable import PictureWorker

/// Tests of requests without the sandbox.
@Suite(.blocking) struct PictureJobTests {
    private let folder: DescriptorFolder

    init() throws { folder = try DescriptorFolder() }

    /// Processes one request, and returns the result with the written file.
    private func run(
        _ task: PictureTask, _ photo: [UInt8]
    ) throws -> (result: PictureResult, file: [UInt8]) {
        let files = try folder.open(photo)
        defer { files.closeAll() }
        let request = PictureRequest(number: 7, task: task)
        let job = PictureJob(
            request: request, photo: files.photo, file: task.writesFile ? files.result : nil)
        let result = job.run()
        let content = try files.content()
        #expect(result.number == 7 && result.bytesWritten == content.count)
        return (result, content)
    }

    private static func exif(_ orientation: UInt16, _ exif: SampleDirectory = .exif()) -> [UInt8] {
        SampleJPEG.exif(
            SampleTIFF.block([
                SampleDirectory([
                    SampleEntry(0x0112, .short(orientation)), SampleEntry(0x8769, .directories([exif])),
                ])
            ]))
    }

    /// A picture whose left half is red and whose upper right quarter is blue.
    private static func halves(_ columns: Int, _ rows: Int) throws -> [UInt8] {
        let picture = TestPicture.blocks(columns, rows) { column, row in
            column < columns / 2 ? [200, 0, 0] : row < rows / 2 ? [0, 0, 200] : [0, 200, 0]
        }
        return try #require(picture.jpeg(quality: 95))
    }

    private func isNear(_ color: [UInt8], _ expected: [UInt8]) -> Bool {
        zip(color, expected).allSatisfy { abs(Int($0) - Int($1)) <= 6 }
    }

    @Test func `a thumbnail is a small upright baseline JPEG without metadata`() throws {
        let jpeg = SampleJPEG.adding([Self.exif(6)], to: try Self.halves(96, 64))
        let (result, file) = try run(.thumbnail, jpeg)
        #expect(result.status == .ready)
        #expect(result.width == 1_024 && result.height == 1_536)
        let picture = try TestPicture.decode(file)
        #expect(picture.width == 341 && picture.height == 512)
        // After a quarter turn to the right, the left half is at the top.
        #expect(isNear(picture.color(170, 100), [200, 0, 0]))
        #expect(isNear(picture.color(300, 400), [0, 0, 200]))
        #expect(isNear(picture.color(40, 400), [0, 200, 0]))
        let markers = TestPicture.markers(file)
        #expect(markers.contains(0xC0) && !markers.contains(0xC2))
        #expect(!markers.contains(0xE1) && !markers.contains(0xE2))
    }

    @Test func `fails to read a photo that another program shortens`() throws {
        let files = try folder.open([UInt8](repeating: 7, count: 100))
        defer { files.closeAll() }
        let photo = try PhotoDescriptor(files.photo)
        #expect(try photo.read(10..<100).count == 90)
        try #require(truncate("/proc/self/fd/\(files.photo)", 50) == 0)
        #expect(throws: SystemCallFailure(number: EIO)) { try photo.read(10..<100) }
        #expect(try photo.read(10, 90).count == 40)
    }

    @Test func `a picture smaller than the screen size keeps its size`() throws {
        let (result, file) = try run(.screen, try Self.halves(10, 6))
        #expect(result.status == .ready && result.width == 160 && result.height == 96)
        let picture = try TestPicture.decode(file)
        #expect(picture.width == 160 && picture.height == 96)
    }

    @Test func `the thumbnail of a photo in Adobe RGB is in sRGB`() throws {
        let red: [UInt8] = [200, 30, 40]
        let jpeg = SampleJPEG.adding(
            [Self.exif(1, .exif(color: 0xFFFF, index: "R03"))], to: try TestPicture.jpeg(64, 64, color: red))
        let (result, file) = try run(.thumbnail, jpeg)
        // The specifications of both color spaces give 233, 24, 36.
        #expect(isNear(try TestPicture.decode(file).color(32, 32), [233, 24, 36]))
        #expect(
            isNear([result.meanColor.red, result.meanColor.green, result.meanColor.blue], [233, 24, 36]))
        let plain = try run(.thumbnail, try TestPicture.jpeg(64, 64, color: red))
        #expect(isNear(try TestPicture.decode(plain.file).color(32, 32), red))
    }

    @Test func `uses an embedded ICC profile, and ignores an invalid one`() throws {
        let red: [UInt8] = [200, 30, 40]
        let jpeg = try TestPicture.jpeg(64, 64, color: red)
        let profile = ColorConversion.adobeRGBProfile
        let pieces = [Array(profile[..<100]), Array(profile[100...])]
        let (_, file) = try run(.thumbnail, SampleJPEG.adding(SampleJPEG.profile(pieces), to: jpeg))
        #expect(isNear(try TestPicture.decode(file).color(32, 32), [233, 24, 36]))
        let invalid = SampleJPEG.adding(SampleJPEG.profile([[1, 2, 3]]), to: jpeg)
        let (result, plain) = try run(.thumbnail, invalid)
        #expect(result.status == .ready)
        #expect(isNear(try TestPicture.decode(plain).color(32, 32), red))
    }

    @Test func `the histogram of gray blocks is exact`() throws {
        // Each block of 16 × 16 pixels has one gray level, which JPEG stores without loss at this quality.
        let levels: [UInt8] = [0, 0, 64, 128, 255, 255, 255, 32]
        let picture = TestPicture.blocks(8, 1) { column, _ in [UInt8](repeating: levels[column], count: 3) }
        let jpeg = try #require(picture.jpeg(quality: 100))
        let (result, file) = try run(.facts, jpeg)
        #expect(result.status == .ready && file.isEmpty)
        for channel in [result.histogram.red, result.histogram.green, result.histogram.blue] {
            let used = channel.indices.filter { channel[$0] > 0 }
            #expect(used == [0, 32, 64, 128, 255])
            #expect(used.map { channel[$0] } == [512, 256, 256, 256, 768])
        }
        #expect(result.clippedShadows == 2_500 && result.clippedHighlights == 3_750)
        #expect(result.meanColor == PictureColor(red: 124, green: 124, blue: 124))
    }

    @Test func `takes a RAW file's thumbnail from the preview and the photo's size from EXIF`() throws {
        let preview = try Self.halves(64, 48)
        let file = SampleFiles.raw(
            isLittle: false, previews: [SampleJPEG.header(width: 6_000, height: 4_500), preview],
            orientation: 8, exif: .exif(width: 6_016, height: 4_512))
        let (result, thumbnail) = try run(.thumbnail, file)
        #expect(result.status == .ready && result.width == 4_512 && result.height == 6_016)
        let picture = try TestPicture.decode(thumbnail)
        #expect(picture.width == 384 && picture.height == 512)
        // After a quarter turn to the left, the left half is at the bottom.
        #expect(isNear(picture.color(190, 400), [200, 0, 0]))
    }

    @Test func `tries the next JPEG after a damaged JPEG`() throws {
        let file = SampleFiles.raw(
            isLittle: true,
            previews: [SampleJPEG.header(width: 1_200, height: 800), try Self.halves(90, 60)])
        let (result, thumbnail) = try run(.thumbnail, file)
        #expect(result.status == .ready)
        #expect(try TestPicture.decode(thumbnail).width == 512)
    }

    @Test func `copies the largest JPEG of a RAW file with the file's orientation`() throws {
        let large = try Self.halves(20, 10)
        let file = SampleFiles.cr3(
            preview: try Self.halves(10, 5), thumbnail: try Self.halves(4, 2), track: large, orientation: 6)
        let (result, copy) = try run(.fullSize, file)
        #expect(result.status == .ready && result.width == 160 && result.height == 320)
        #expect(copy.count > large.count && Array(copy.suffix(large.count - 2)) == Array(large[2...]))
        // The copy shows the same upright picture as the RAW file.
        let (again, _) = try run(.facts, copy)
        #expect(again.width == 160 && again.height == 320)
        let whole = try run(.fullSize, large)
        #expect(whole.file == large)
    }

    @Test(
        arguments: [
            (65_000, 65_000, 0xC0, .tooLarge), (65_535, 100, 0xC0, .tooLarge),
            (6_000, 4_000, 0xC3, .noPreview(.notFound)),
        ] as [(Int, Int, UInt8, PictureResult.Status)])
    func `refuses too large or lossless JPEGs before decoding`(
        width: Int, height: Int, frame: UInt8, status: PictureResult.Status
    ) throws {
        let (result, file) = try run(
            .thumbnail, SampleJPEG.header(width: width, height: height, frame: frame))
        #expect(result.status == status && file.isEmpty)
        #expect(PictureResult(bytes: result.encode()) == result)
    }

    @Test(arguments: [[], [0xFF], Array("not a picture".utf8)] as [[UInt8]])
    func `a file without a JPEG has no preview`(photo: [UInt8]) throws {
        for task in PictureTask.allCases {
            let (result, file) = try run(task, photo)
            #expect(result.status == .noPreview(.notFound) && file.isEmpty && result.width == 0)
        }
    }

    @Test func `reports the error number of a failed system call`() throws {
        let files = try folder.open(try Self.halves(4, 4))
        defer { files.closeAll() }
        let request = PictureRequest(number: 1, task: .thumbnail)
        // The photo is not open for writing, and the result is not open for reading.
        let unwritable = PictureJob(request: request, photo: files.photo, file: files.photo).run()
        #expect(unwritable.status == .failed(errno: EBADF) && unwritable.bytesWritten == 0)
        let unreadable = PictureJob(request: request, photo: files.result, file: files.result).run()
        #expect(unreadable.status == .failed(errno: EBADF))
    }
}
