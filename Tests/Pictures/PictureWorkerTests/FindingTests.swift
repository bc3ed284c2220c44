import Foundation
import Testing

@testable import CameraSimulator
@testable import PictureWorker

/// What is found in a camera's file, and made of it.
@Suite struct FindingTests {
    private static func facts(_ form: PictureForm = PictureForm()) -> ShotFacts {
        var facts = ShotFacts(
            make: "Canon", model: "EOS", serial: "1", number: 1, time: WallTime(hostMs: 1_700_000_000_000))
        facts.form = form
        return facts
    }

    private static func photo(_ facts: ShotFacts) -> MadePhoto {
        MadePhoto(facts: facts, pool: PaddingPool(photoBytes: 100_000, seed: 1))
    }

    /// A JPEG with segments of a test's own before the picture.
    private static func jpeg(_ segments: [(marker: UInt8, body: [UInt8])], columns: Int = 60, rows: Int = 40)
        -> [UInt8]
    {
        var out = ByteWriter()
        out.raw(BlockJPEG.startOfImage)
        for segment in segments { BlockJPEG.segment(segment.marker, segment.body, to: &out) }
        out.raw(BlockJPEG.body(BlockPicture(columns: columns, rows: rows, number: 1)))
        return out.bytes
    }

    private static func tiff(_ directory: TIFFDirectory) -> [UInt8] {
        [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0] + directory.encoded(at: 8)
    }

    private static func answer(_ bytes: [UInt8], side: Int = 512) -> ShotPicture.Answer {
        ShotPicture.answer(BlockBytes(block: bytes), side: side)
    }

    /// Largest mean difference of a colour between a picture and what was made of it: it was coded twice.
    private static let codingLoss = 4.0

    @Test(
        arguments: (1...8).map { (UInt16($0), RawFormat?.none) } + RawFormat.allCases.map { (6, .some($0)) })
    func `a picture is turned upright, whichever of the eight ways the camera was held`(
        orientation: UInt16, format: RawFormat?
    ) throws {
        var form = PictureForm()
        form.orientation = orientation
        let photo = Self.photo(Self.facts(form))
        let bytes =
            format.map { photo.raw($0, size: 50_000, thumbnail: photo.thumbnail) }
            ?? photo.jpeg(size: 50_000, thumbnail: photo.thumbnail)
        let answer = Self.answer(bytes.bytes)
        #expect(answer.outcome == .made)
        let (columns, rows) = orientation >= 5 ? (40, 60) : (60, 40)
        #expect(answer.taken == (columns * 8, rows * 8) && answer.made == answer.taken)
        // The digit on it looks like no turn or mirroring of itself.
        let upright = BlockJPEG.file(BlockPicture(columns: columns, rows: rows, number: 1))
        let wanted = try #require(Picture(jpeg: upright, fitting: (480, 480)))
        let made = try #require(Picture(jpeg: answer.jpeg, fitting: (480, 480)))
        let difference = zip(wanted.bytes, made.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(Double(difference) / Double(wanted.bytes.count) < Self.codingLoss)
    }

    @Test(arguments: [
        (PictureForm.Coding.baseline, ShotPicture.Outcome.made), (.progressive, .made), (.broken, .broken),
        (.huge, .tooLarge),
    ])
    func `a camera's picture is made, or what is wrong with it is known`(
        coding: PictureForm.Coding, outcome: ShotPicture.Outcome
    ) {
        var form = PictureForm()
        form.coding = coding
        let photo = Self.photo(Self.facts(form))
        #expect(Self.answer(photo.jpeg(size: 50_000, thumbnail: photo.thumbnail).bytes).outcome == outcome)
    }

    @Test func `Adobe RGB is known by its tags or its profile, and becomes sRGB`() throws {
        var rules = TIFFDirectory()
        rules[1] = .ascii("R03")
        var exif = TIFFDirectory()
        exif[0xA001] = .short([0xFFFF])
        exif[0xA005] = .directory(rules)
        var main = TIFFDirectory()
        main[0x8769] = .directory(exif)
        let tagged = Self.jpeg([(0xE1, Array("Exif\0\0".utf8) + Self.tiff(main))])
        let profiled = Self.jpeg([(0xE2, Array("ICC_PROFILE\0\u{1}\u{1}desc Adobe RGB (1998)".utf8))])
        let plain = Self.jpeg([])
        var form = PictureForm()
        form.colours = .adobeRGB
        let camera = Self.photo(Self.facts(form)).jpeg(size: 0, thumbnail: []).bytes
        #expect(JPEGHead(BlockBytes(block: camera))?.colour == .adobeRGB)
        #expect(JPEGHead(BlockBytes(block: tagged))?.colour == .adobeRGB)
        #expect(JPEGHead(BlockBytes(block: profiled))?.colour == .adobeRGB)
        #expect(JPEGHead(BlockBytes(block: plain))?.colour == .sRGB)
        // By the definitions of both spaces.
        var picture = Picture(width: 3, height: 1, bytes: [255, 0, 0, 200, 100, 50, 128, 128, 128])
        picture.convertFromAdobeRGB()
        let expected = [255, 0, 0, 228, 99, 42, 128, 128, 128]
        for (value, wanted) in zip(picture.bytes, expected) {
            #expect(abs(Int(value) - wanted) <= 3, "\(picture.bytes)")
        }
    }

    @Test func `the preview beside a JPEG is found (MPF)`() throws {
        let small = BlockJPEG.file(BlockPicture(columns: 20, rows: 15, number: 1))
        func whole(_ offset: UInt32) -> [UInt8] {
            var entry = ByteWriter()
            for number in [0, 0, 0, 0, 0, UInt32(small.count), offset, 0] { entry.u32(number) }
            var directory = TIFFDirectory()
            directory[0xB002] = .undefined(entry.bytes)
            return Self.jpeg([(0xE2, Array("MPF\0".utf8) + Self.tiff(directory))])
        }
        // Offsets count from the byte after the mark: behind SOI, marker, length and mark.
        let offset = UInt32(whole(0).count - 10)
        let (pictures, _) = EmbeddedPicture.all(in: BlockBytes(block: whole(offset) + small))
        #expect(pictures.map(\.side) == [160, 480])
        #expect(EmbeddedPicture.best(of: pictures, side: 100)?.side == 160)
        #expect(EmbeddedPicture.best(of: pictures, side: 9_999)?.side == 480)
    }

    /// A frame of so many pixels and nothing behind it.
    private static func frame(_ marker: UInt8, _ width: Int, _ height: Int) -> [UInt8] {
        let size = [UInt8(height >> 8), UInt8(height & 0xFF), UInt8(width >> 8), UInt8(width & 0xFF)]
        return [0xFF, 0xD8, 0xFF, marker, 0, 17, 8] + size + [3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]
            + [UInt8](repeating: 0, count: 200)
    }

    @Test(arguments: [
        (UInt8(0xC0), 65_500, 65_500, ShotPicture.Outcome.tooLarge), (0xC2, 8_000, 6_000, .tooLarge),
        (0xC0, 8_000, 6_000, .broken), (0xC3, 100, 100, .nothing), (0xC0, 0, 100, .nothing),
    ])
    func `what is too much, broken, or raw data is said so`(
        marker: UInt8, width: Int, height: Int, outcome: ShotPicture.Outcome
    ) {
        #expect(Self.answer(Self.frame(marker, width, height)).outcome == outcome)
    }

    @Test func `directories that lead to each other for ever end`() {
        // Its next directory is itself, and its subdirectories are it as well.
        var bytes: [UInt8] = [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 1, 0]
        bytes += [0x4A, 0x01, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0] + [8, 0, 0, 0]
        bytes += [UInt8](repeating: 0, count: 200)
        #expect(Self.answer(bytes).outcome == .nothing)
        // Counts and places that are no numbers of this file.
        for value in [UInt8(0xFF), 0x7F] {
            var wild = bytes
            for index in 8..<26 { wild[index] = value }
            #expect(Self.answer(wild).outcome == .nothing)
        }
    }

    @Test func `the histogram counts each pixel once in each colour`() {
        let picture = Picture(width: 2, height: 2, bytes: [1, 2, 3, 1, 2, 3, 1, 2, 3, 255, 0, 3])
        let counts = picture.histogram
        #expect(
            counts[1] == 3 && counts[255] == 1 && counts[256 + 2] == 3 && counts[256] == 1
                && counts[512 + 3] == 4)
        #expect(counts.reduce(0, +) == 12)
        #expect(picture.mean == (64, 1, 3))
    }
}
