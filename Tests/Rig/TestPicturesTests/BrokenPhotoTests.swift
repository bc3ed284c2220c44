import TestPictures
import Testing

/// Tests of broken files, and of the words that select them.
@Suite struct BrokenPhotoTests {
    @Test(arguments: [TestPicture.Format.nef, .arw, .dng, .cr2])
    func `a RAW file with cyclic directories still contains its JPEGs`(format: TestPicture.Format) throws {
        let valid = try TestPicture(format, "")
        #expect(!TIFFReading(valid.bytes).directories().hasCycle)
        let file = try TestPicture(format, "broken=cycle")
        #expect(TIFFReading(file.bytes).directories().hasCycle)
        #expect(file.embedded.count == valid.embedded.count)
    }

    @Test func `the EXIF of a cyclic JPEG refers back to directory 0`() throws {
        let file = try TestPicture(.jpeg, "broken=cycle")
        let tiff = TIFFReading(file.bytes, at: 12)
        #expect(tiff.next(tiff.next(tiff.first)) == tiff.first)
    }

    @Test(arguments: TestPicture.Format.allCases)
    func `a truncated file ends within its pictures`(format: TestPicture.Format) throws {
        let valid = try TestPicture(format, "")
        let file = try TestPicture(format, "broken=truncated")
        #expect(file.bytes.count < valid.bytes.count)
        #expect(!file.bytes.isEmpty && valid.bytes.starts(with: file.bytes.prefix(8)))
        if format != .jpeg { #expect(file.embedded.count < valid.embedded.count) }
    }

    @Test(arguments: TestPicture.Format.allCases)
    func `random bytes have the size of a valid file`(format: TestPicture.Format) throws {
        let valid = try TestPicture(format, "")
        let file = try TestPicture(format, "broken=noise")
        #expect(file.bytes.count == valid.bytes.count)
        #expect(file.embedded.isEmpty && !valid.embedded.isEmpty)
    }

    @Test func `a JPEG that would end beyond the file keeps its offset`() throws {
        let file = try TestPicture(.nef, "broken=outside")
        let tiff = TIFFReading(file.bytes)
        let ranges = tiff.directories().offsets.compactMap { (directory: Int) -> Range<Int>? in
            tiff.entries(directory)[0x0202] == nil ? nil : tiff.jpeg(in: directory)
        }
        #expect(ranges.count == 2)
        for range in ranges {
            #expect(range.upperBound > file.bytes.count)
            #expect(file.embedded.contains { $0.range.lowerBound == range.lowerBound })
        }
    }

    @Test func `generates equal files from the same words and number`() throws {
        let words = "mpf,gps"
        #expect(try TestPicture(.jpeg, words).bytes == TestPicture(.jpeg, words).bytes)
        #expect(try TestPicture(.jpeg, words).bytes != TestPicture(.jpeg, words, number: 8).bytes)
        #expect(try TestPicture(.raf, words).bytes == TestPicture(.raf, words).bytes)
    }

    @Test(arguments: ["sepia", "orientation=9", "broken=", "broken=badly", "10x10", "1x", "99999x99999"])
    func `refuses unknown words and invalid values`(word: String) {
        #expect(throws: (any Error).self) { try TestPicture(.jpeg, word) }
    }
}
