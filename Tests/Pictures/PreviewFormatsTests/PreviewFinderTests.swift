import PreviewSamples
import Testing

@testable import PreviewFormats

@Suite struct PreviewFinderTests {
    private static let large = SampleJPEG.header(width: 6_000, height: 4_000)
    private static let middle = SampleJPEG.header(width: 1_620, height: 1_080)
    private static let small = SampleJPEG.header(width: 160, height: 120)

    @Test func `an EXIF thumbnail has the orientation and color space of its file`() throws {
        let main = SampleDirectory([
            SampleEntry(0x0112, .short(6)),
            SampleEntry(0x8769, .directories([.exif(color: 0xFFFF, index: "R03")])),
        ])
        let exif = SampleTIFF.block([main, .thumbnail(Self.small)])
        let file = SampleJPEG.adding([SampleJPEG.exif(exif)], to: Self.large)
        let run = PreviewSearchRun(file)
        let found = run.find()
        #expect(found.sources.map(\.kind) == [.wholeFile, .exifThumbnail])
        #expect(found.sources.allSatisfy { $0.orientation == 6 && $0.colorSpace == .adobeRGB })
        #expect(found.sources[0].hasOwnOrientation && !found.sources[1].hasOwnOrientation)
        #expect(run.jpeg(of: found.sources[1]) == Self.small)
        #expect(found.originalSize == PreviewSize(width: 4_000, height: 6_000))
    }

    @Test func `finds large thumbnails in a multi-picture file, and ignores its other pictures`() {
        let file = SampleJPEG.multiPicture(
            Self.large, others: [(0x01_0002, Self.middle), (0x02_0001, Self.large), (0, Self.small)])
        let run = PreviewSearchRun(file)
        let found = run.find()
        #expect(found.sources.map(\.kind) == [.wholeFile, .multiPicture])
        #expect(run.jpeg(of: found.sources[1]) == Self.middle)
        #expect(found.sources[0].width == 6_000 && found.sources[1].width == 1_620)
    }

    @Test(arguments: [true, false])
    func `finds the previews of a TIFF-based RAW file in both byte orders`(isLittle: Bool) {
        let file = SampleFiles.raw(
            isLittle: isLittle, previews: [Self.large, Self.middle], thumbnail: Self.small, orientation: 8,
            exif: .exif(color: 1, width: 6_048, height: 4_024))
        let run = PreviewSearchRun(file)
        let found = run.find()
        // The lossless JPEG of the sensor's data is not a preview.
        #expect(found.sources.map(\.width) == [6_000, 1_620, 160])
        #expect(found.sources.allSatisfy { $0.kind == .rawPreview && $0.orientation == 8 })
        #expect(found.sources.allSatisfy { $0.colorSpace == .sRGB && !$0.hasOwnOrientation })
        #expect(run.jpeg(of: found.sources[1]) == Self.middle)
        #expect(found.originalSize == PreviewSize(width: 4_024, height: 6_048))
    }

    /// Nikon's cameras store an uncompressed thumbnail in the first directory. The first subdirectory has the
    /// full-size JPEG, the second has the sensor's data (compression 34713), the third has a smaller JPEG.
    @Test func `finds the JPEGs in the subdirectories of a NEF file`() {
        let thumbnail = [UInt8](repeating: 0x80, count: 160 * 120 * 3)
        let directories: [SampleDirectory] = [
            .thumbnail(Self.large), .strip([1, 2, 3, 4], compression: 34_713), .thumbnail(Self.middle),
        ]
        let main = SampleDirectory.strip(
            thumbnail, compression: 1,
            [SampleEntry(0x0112, .short(8)), SampleEntry(0x014A, .directories(directories))])
        let run = PreviewSearchRun(SampleTIFF.block(isLittle: true, [main]))
        let found = run.find()
        #expect(found.sources.map(\.width) == [6_000, 1_620])
        #expect(found.sources.allSatisfy { $0.orientation == 8 })
        #expect(found.sources.map(run.jpeg) == [Self.large, Self.middle])
    }

    @Test func `finds a JPEG in the only strip of a compressed picture`() {
        let file = SampleTIFF.block([
            .strip(Self.large, [SampleEntry(0x0112, .short(3))]), .thumbnail(Self.small),
            .strip(Self.middle, compression: 1),
        ])
        let found = PreviewSearchRun(file).find()
        #expect(found.sources.map(\.width) == [6_000, 160])
        #expect(found.sources.allSatisfy { $0.orientation == 3 })
    }

    @Test func `finds preview, thumbnail and first track of a CR3 file`() {
        let file = SampleFiles.cr3(
            preview: Self.middle, thumbnail: Self.small, track: Self.large, orientation: 6,
            exif: .exif(color: 0xFFFF, index: "R03", width: 6_000, height: 4_000))
        let run = PreviewSearchRun(file)
        let found = run.find()
        let kinds = Dictionary(grouping: found.sources, by: \.kind).mapValues { $0.map(\.width) }
        #expect(kinds == [.canonThumbnail: [160], .canonTrack: [6_000], .canonPreview: [1_620]])
        #expect(found.sources.allSatisfy { $0.orientation == 6 && $0.colorSpace == .adobeRGB })
        for source in found.sources where source.kind == .canonTrack {
            #expect(run.jpeg(of: source) == Self.large)
        }
        #expect(found.originalSize == PreviewSize(width: 4_000, height: 6_000))
    }

    @Test func `finds the JPEG of a RAF file and its thumbnail`() {
        let exif = SampleTIFF.block([
            SampleDirectory([SampleEntry(0x0112, .short(8))]), .thumbnail(Self.small),
        ])
        let jpeg = SampleJPEG.adding([SampleJPEG.exif(exif)], to: Self.middle)
        let run = PreviewSearchRun(SampleFiles.raf(jpeg))
        let found = run.find()
        #expect(found.sources.map(\.kind) == [.fujiPreview, .exifThumbnail])
        #expect(found.sources.allSatisfy { $0.orientation == 8 })
        #expect(run.jpeg(of: found.sources[0]) == jpeg)
    }

    @Test func `finds the JPEGs in the tags of Panasonic and Olympus`() {
        let panasonic = PreviewSearchRun(SampleFiles.rw2(Self.middle, orientation: 6))
        let found = panasonic.find()
        #expect(found.sources.map(\.orientation) == [6])
        #expect(found.sources.first.map(panasonic.jpeg) == Self.middle)
        let olympus = PreviewSearchRun(SampleFiles.orf(Self.middle))
        #expect(olympus.find().sources.first.map(olympus.jpeg) == Self.middle)
    }

    @Test func `finds the second JPEG in a RAW file of Panasonic`() {
        let file = SampleFiles.rw2(Self.middle, larger: Self.large, orientation: 8)
        let run = PreviewSearchRun(file)
        let found = run.find()
        #expect(found.sources.map(run.jpeg) == [Self.middle, Self.large])
        #expect(found.sources.allSatisfy { $0.orientation == 8 && $0.kind == .rawPreview })
    }

    @Test func `the orientation of an embedded JPEG takes precedence over the RAW file's`() {
        let exif = SampleTIFF.block([SampleDirectory([SampleEntry(0x0112, .short(1))])])
        let jpeg = SampleJPEG.adding([SampleJPEG.exif(exif)], to: Self.middle)
        let found = PreviewSearchRun(SampleFiles.rw2(jpeg, orientation: 6)).find()
        #expect(found.sources.map(\.orientation) == [1])
        #expect(found.sources.first?.hasOwnOrientation == true)
    }

    @Test(
        arguments: [
            (1, nil, .sRGB), (1, "R03", .sRGB), (0xFFFF, "R03", .adobeRGB), (0xFFFF, "R98", .sRGB),
            (0xFFFF, nil, .adobeRGB), (2, nil, .adobeRGB), (nil, "R03", .adobeRGB), (nil, nil, .sRGB),
        ] as [(UInt16?, String?, PreviewColorSpace)])
    func `reads the color space from EXIF and DCF`(
        color: UInt16?, index: String?, space: PreviewColorSpace
    ) {
        let main = SampleDirectory([
            SampleEntry(0x8769, .directories([.exif(color: color, index: index)]))
        ])
        let file = SampleJPEG.adding([SampleJPEG.exif(SampleTIFF.block([main]))], to: Self.middle)
        #expect(PreviewSearchRun(file).find().sources.map(\.colorSpace) == [space])
    }

    @Test func `reads the color space that DNG states for a preview`() {
        let previews = [2, 3].map {
            SampleDirectory.strip(Self.middle, compression: 7, [SampleEntry(0xC71A, .long($0))])
        }
        let found = PreviewSearchRun(SampleTIFF.block(previews)).find()
        #expect(found.sources.map(\.colorSpace) == [.sRGB, .adobeRGB])
    }

    @Test func `finds all parts of an ICC profile, which takes precedence over EXIF`() {
        let exif = SampleTIFF.block([.exif(color: 1)])
        let pieces: [[UInt8]] = [[1, 2, 3], [4, 5]]
        let file = SampleJPEG.adding(
            [SampleJPEG.exif(exif)] + SampleJPEG.profile(pieces), to: Self.middle)
        guard case .profile(let ranges)? = PreviewSearchRun(file).find().sources.first?.colorSpace else {
            Issue.record("no profile")
            return
        }
        #expect(ranges.map { Array(file[Int($0.lowerBound)..<Int($0.upperBound)]) } == pieces)
        let cut = SampleJPEG.adding([SampleJPEG.profile(pieces)[1]], to: Self.middle)
        #expect(PreviewSearchRun(cut).find().sources.first?.colorSpace == .sRGB)
    }

    @Test func `prefers the smallest sufficient JPEG, then the largest`() {
        let file = SampleFiles.raw(
            isLittle: true,
            previews: [Self.large, Self.small, Self.middle, SampleJPEG.header(width: 640, height: 480)])
        let found = PreviewSearchRun(file).find()
        #expect(found.sorted(forSide: 1_000).map(\.width) == [1_620, 6_000, 640, 160])
        #expect(found.sorted(forSide: 2_048).map(\.width) == [6_000, 1_620, 640, 160])
        #expect(found.sorted(forSide: .max).map(\.width) == [6_000, 1_620, 640, 160])
    }

    @Test(arguments: [0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC9, 0xCA] as [UInt8])
    func `accepts only the JPEG processes that the decoder reads`(frame: UInt8) {
        let file = SampleJPEG.header(width: 40, height: 30, frame: frame)
        let found = PreviewSearchRun(file).find()
        #expect(found.sources.isEmpty == (frame > 0xC2))
    }

    @Test(
        arguments: [
            [], Array("RIFF....AVI LIST".utf8), SampleFiles.box("ftyp", Array("heic\0\0\0\0mif1".utf8)),
            SampleTIFF.block([SampleDirectory([SampleEntry(0x0112, .short(6))])]),
        ] as [[UInt8]])
    func `finds nothing in a file without a JPEG`(file: [UInt8]) {
        #expect(PreviewSearchRun(file).find() == FoundPreviews())
    }
}
