import PreviewSamples
import TestRig
import Testing

@testable import PreviewFormats

/// Tests of ``PreviewFinder`` with files that a camera would not write.
@Suite struct HostileFileTests {
    private static let middle = SampleJPEG.header(width: 1_620, height: 1_080)
    private static let small = SampleJPEG.header(width: 160, height: 120)

    /// A complete file of each format.
    static let samples: [[UInt8]] = {
        let exif = SampleTIFF.block([
            SampleDirectory([
                SampleEntry(0x0112, .short(6)),
                SampleEntry(0x8769, .directories([.exif(color: 0xFFFF, index: "R03")])),
            ]), .thumbnail(small),
        ])
        let jpeg = SampleJPEG.adding([SampleJPEG.exif(exif)] + SampleJPEG.profile([[1, 2]]), to: middle)
        return [
            SampleJPEG.multiPicture(jpeg, others: [(0x01_0001, small)]),
            SampleFiles.raw(isLittle: true, previews: [middle, small], thumbnail: small, orientation: 6),
            SampleFiles.raw(isLittle: false, previews: [middle], exif: .exif(color: 1, index: "R98")),
            SampleFiles.cr3(preview: middle, thumbnail: small, track: jpeg, orientation: 3),
            SampleFiles.raf(jpeg), SampleFiles.rw2(middle, orientation: 8), SampleFiles.orf(middle),
        ]
    }()

    @Test func `ends the list at a directory that names itself as next`() {
        var file = SampleTIFF.block([.thumbnail(Self.small)])
        // The pointer to the next directory follows the three entries.
        file.replaceSubrange((10 + 3 * 12)..<(14 + 3 * 12), with: [8, 0, 0, 0])
        let run = PreviewSearchRun(file)
        #expect(run.find().sources.map(\.width) == [160])
        #expect(run.reads < 20)
    }

    @Test func `ends the search in a directory that contains itself`() {
        let inner = SampleDirectory([SampleEntry(0x014A, .long(8)), SampleEntry(0x8769, .long(8))])
        let run = PreviewSearchRun(SampleTIFF.block([inner, .thumbnail(Self.small)]))
        #expect(run.find().sources.map(\.width) == [160])
        #expect(run.reads < 20)
    }

    @Test func `returns one source for two entries with the same JPEG`() throws {
        var file = SampleTIFF.block([.thumbnail(Self.small), .thumbnail(Self.middle)])
        let places = PreviewSearchRun(file).find().sources.map { UInt32($0.range.lowerBound) }
        try #require(places.count == 2)
        let pointer = SampleTIFF.littleEndian(places[1], 4)
        let place = try #require(
            file.indices.dropLast(3).first { Array(file[$0..<($0 + 4)]) == pointer })
        file.replaceSubrange(place..<(place + 4), with: SampleTIFF.littleEndian(places[0], 4))
        #expect(PreviewSearchRun(file).find().sources.map(\.width) == [160])
    }

    @Test(arguments: [(6, true), (7, false)])
    func `reads directories down to a limited depth`(depth: Int, isFound: Bool) {
        var directory = SampleDirectory.thumbnail(Self.small)
        for _ in 0..<depth {
            directory = SampleDirectory([SampleEntry(0x014A, .directories([directory]))])
        }
        let found = PreviewSearchRun(SampleTIFF.block([directory])).find()
        #expect(found.sources.isEmpty != isFound)
    }

    @Test func `stops after a limited number of visits`() {
        let directories = (0..<300).map { index in
            SampleDirectory.thumbnail(SampleJPEG.header(width: 100 + index, height: 100))
        }
        let run = PreviewSearchRun(SampleTIFF.block(directories))
        let found = run.find()
        #expect(found.sources.count < PreviewFinder.visitsMax)
        // A visit reads at most a header, a table, a pointer and the values of some entries.
        #expect(run.reads < PreviewFinder.visitsMax * 8)
    }

    @Test(arguments: [0, 1, 8, 0x7FFF_FFFF, 0xFFFF_FFF0, 0xFFFF_FFFF] as [UInt32])
    func `ignores offsets and lengths outside the file`(number: UInt32) {
        for isLittle in [true, false] {
            let entries = [0x0111, 0x0117, 0x0201, 0x0202, 0x014A, 0x8769, 0xA005, 0x927C] as [UInt16]
            let directory = SampleDirectory(
                [SampleEntry(0x0103, .short(6)), SampleEntry(0x002E, .bytes(kind: 7, [1, 2, 3, 4]))]
                    + entries.map { SampleEntry($0, .long(number)) })
            let file = SampleTIFF.block(isLittle: isLittle, [directory])
            #expect(PreviewSearchRun(file).find().sources.isEmpty)
        }
    }

    @Test func `clamps a length that is larger than the file`() {
        var file = SampleFiles.raf(Self.middle)
        file.replaceSubrange(88..<92, with: [0xFF, 0xFF, 0xFF, 0xFF])
        let found = PreviewSearchRun(file).find()
        #expect(found.sources.map(\.range.upperBound) == [UInt64(file.count)])
    }

    @Test(arguments: [0, 1, 7] as [UInt8])
    func `a box with a wrong length ends the list of boxes`(length: UInt8) {
        var file = SampleFiles.cr3(preview: Self.middle, thumbnail: Self.small, track: Self.middle)
        file[3] = length
        // A length of 0 means the rest of the file, and 1 means that a longer number follows.
        #expect(PreviewSearchRun(file).find().sources.isEmpty)
    }

    @Test(arguments: [(0, 100), (100, 0)])
    func `rejects a JPEG without width or height`(width: Int, height: Int) {
        let file = SampleJPEG.header(width: width, height: height)
        #expect(PreviewSearchRun(file).find().sources.isEmpty)
    }

    @Test func `stops reading the segments of an endless JPEG`() {
        let segments = [[UInt8]](repeating: SampleJPEG.segment(0xEE, []), count: 5_000)
        let run = PreviewSearchRun(SampleJPEG.adding(segments, to: Self.middle))
        #expect(run.find().sources.isEmpty)
        #expect(run.reads < 1_000)
    }

    @Test(arguments: samples.indices)
    func `returns only previews that are inside a truncated file`(index: Int) {
        let sample = Self.samples[index]
        for count in 0..<sample.count { _ = PreviewSearchRun(Array(sample.prefix(count))).find() }
        #expect(!PreviewSearchRun(sample).find().sources.isEmpty)
    }

    /// Changed files reach every branch of the search. A runtime error would end the test program.
    @Test func `the search in changed and random bytes stays within its limits`() {
        var random = SeededRandom(otherwise: 43)
        let heads: [[UInt8]] = [
            [0xFF, 0xD8, 0xFF, 0xE1], Array("II*\0".utf8), Array("MM\0*".utf8), Array("FUJIFILMCCD-RAW".utf8),
            Array("\0\0\0\u{10}ftypcrx ".utf8),
        ]
        for round in 0..<2_000 {
            var bytes: [UInt8]
            if round % 4 == 0 {
                bytes = heads.randomElement(using: &random) ?? []
                for _ in 0..<Int.random(in: 0...600, using: &random) {
                    bytes.append(UInt8.random(in: 0...255, using: &random))
                }
            } else {
                bytes = Self.samples.randomElement(using: &random) ?? []
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    bytes[place] =
                        [0, 1, 0x7F, 0xFF, UInt8.random(in: 0...255, using: &random)]
                        .randomElement(using: &random) ?? 0
                }
            }
            let run = PreviewSearchRun(bytes)
            _ = run.find()
            // Each visit reads at most all segments of a JPEG, or all entries of a directory.
            #expect(run.reads <= PreviewFinder.visitsMax * 600, "\(random.note), round \(round)")
        }
    }
}
