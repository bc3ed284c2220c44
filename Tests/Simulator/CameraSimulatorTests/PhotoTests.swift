import Testing

@testable import CameraSimulator

@Suite struct PhotoTests {
    private static let metadata = ShotMetadata(
        make: "FrameFast", model: "Test", serial: "42", number: 1, time: TestCamera.noon)

    private func source(_ size: Int, _ raw: RawFormat, _ recording: Recording)
        -> PhotoSource
    {
        PhotoSource(sizes: size...size, raw: raw, recording: recording, seed: 3)
    }

    /// Returns the marker, offset and size of a JPEG's segments up to the scan. The size includes marker and
    /// length.
    private func segments(_ jpeg: [UInt8]) -> [(marker: UInt8, offset: Int, count: Int)] {
        var found: [(UInt8, Int, Int)] = []
        var at = 2
        while at + 4 <= jpeg.count, jpeg[at] == 0xFF {
            let count = Int(jpeg[at + 2]) << 8 | Int(jpeg[at + 3])
            found.append((jpeg[at + 1], at, count + 2))
            if jpeg[at + 1] == 0xDA { break }
            at += count + 2
        }
        return found
    }

    @Test(arguments: [20_000, 65_537, 100_000, 131_072, 131_073, 131_074, 131_075, 131_076, 1_000_001])
    func `a JPEG has exactly the requested size and whole segments`(size: Int) throws {
        let file = try #require(source(size, .dng, .jpeg).files(of: Self.metadata).first)
        let jpeg = file.bytes.bytes
        #expect(jpeg.count == size)
        #expect(Array(jpeg.prefix(2)) == [0xFF, 0xD8])
        #expect(Array(jpeg.suffix(2)) == [0xFF, 0xD9])
        let markers = segments(jpeg).map(\.marker)
        #expect(markers.first == 0xE1)
        #expect(markers.last == 0xDA)
        #expect(Set(markers) == [0xE1, 0xEF, 0xDB, 0xC0, 0xC4, 0xDA])
    }

    @Test func `photos differ by number and are reproducible from the seed`() throws {
        func photo(_ number: Int, _ source: PhotoSource) throws -> [UInt8] {
            var metadata = Self.metadata
            metadata.number = number
            return try #require(source.files(of: metadata).first).bytes.bytes
        }
        let one = PhotoSource(sizes: 20_000...20_000, raw: .dng, recording: .jpeg, seed: 3)
        let same = PhotoSource(sizes: 20_000...20_000, raw: .dng, recording: .jpeg, seed: 3)
        let other = PhotoSource(sizes: 20_000...20_000, raw: .dng, recording: .jpeg, seed: 4)
        #expect(try photo(1, one) == photo(1, same))
        #expect(Set(try (1...40).map { try photo($0, one) }).count == 40)
        #expect(try photo(1, one) != photo(1, other))
    }

    @Test(arguments: [RawFormat.dng, .cr2, .nef])
    func `image data extends to the end of a TIFF raw file`(format: RawFormat) throws {
        let raw = try #require(source(300_000, format, .raw).files(of: Self.metadata).first).bytes.bytes
        #expect(raw.count == 300_000)
        #expect(Array(raw.prefix(4)) == [0x49, 0x49, 0x2A, 0x00])
        if format == .cr2 { #expect(Array(raw[8..<10]) == Array("CR".utf8)) }
        let start = Int(TestCamera.word(raw, 4))
        var fields: [UInt16: UInt32] = [:]
        for index in 0..<Int(TestCamera.half(raw, start)) {
            let at = start + 2 + index * 12
            fields[TestCamera.half(raw, at)] = TestCamera.word(raw, at + 8)
        }
        let offset = try #require(fields[0x0111])
        let count = try #require(fields[0x0117])
        #expect(Int(offset + count) == raw.count)
        #expect(fields.keys.contains(0x8769))
    }

    @Test func `the boxes of a CR3 file fill the whole file`() throws {
        let raw = try #require(source(300_000, .cr3, .raw).files(of: Self.metadata).first).bytes.bytes
        #expect(raw.count == 300_000)
        func big(_ at: Int) -> Int { (0..<4).reduce(0) { $0 << 8 | Int(raw[at + $1]) } }
        var boxes: [String] = []
        var at = 0
        while at + 8 <= raw.count {
            boxes.append(String(decoding: raw[at + 4..<at + 8], as: UTF8.self))
            at += big(at) == 1 ? big(at + 12) : big(at)
        }
        #expect(boxes == ["ftyp", "moov", "mdat"])
        #expect(at == raw.count)
        #expect(String(decoding: raw[8..<12], as: UTF8.self) == "crx ")
    }

    @Test func `thumbnails are JPEG files`() throws {
        var test = TestCamera(recording: .pair)
        for handle in try test.shoot() {
            let thumbnail = try #require(test.send(.getThumb, handle).data).bytes
            #expect(Array(thumbnail.prefix(2)) == [0xFF, 0xD8])
            #expect(Array(thumbnail.suffix(2)) == [0xFF, 0xD9])
        }
    }
}
