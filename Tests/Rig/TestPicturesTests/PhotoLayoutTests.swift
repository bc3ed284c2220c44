import TestPictures
import Testing

/// Tests that the generated files contain their pictures in the places that their formats prescribe.
@Suite struct PhotoLayoutTests {
    /// Returns the JPEGs that the directories of a TIFF-based file refer to, without the sensor data.
    private func pictures(of file: TestPicture) -> Set<Range<Int>> {
        let tiff = TIFFReading(file.bytes)
        return Set(
            tiff.directories().offsets.compactMap { (directory: Int) -> Range<Int>? in
                // 32803: the samples of a color filter array.
                if let kind = tiff.entries(directory)[0x0106], tiff.values(kind) == [32_803] { return nil }
                return tiff.jpeg(in: directory)
            })
    }

    /// Returns a big-endian number of four bytes.
    private func big(_ bytes: [UInt8], _ place: Int) -> Int {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Returns the offset after the type of a box, or `nil` if the file has no box of this type.
    private func content(of type: String, in file: TestPicture) -> Int? {
        let name = Array(type.utf8)
        let place = (0..<file.bytes.count - 4).first {
            file.bytes[$0] == name[0] && file.bytes[$0..<$0 + 4].elementsEqual(name)
        }
        return place.map { $0 + 4 }
    }

    @Test(arguments: [
        (TestPicture.Format.nef, 2), (.arw, 3), (.dng, 2), (.cr2, 2),
    ])
    func `the directories of a TIFF-based RAW file refer to its JPEGs`(
        format: TestPicture.Format, count: Int
    ) throws {
        for words in ["", "big-endian"] {
            let file = try TestPicture(format, words)
            #expect(file.embedded.count == count)
            #expect(pictures(of: file) == Set(file.embedded.map(\.range)), "\(words)")
            let isBig = words == "big-endian" && format != .cr2
            #expect(file.bytes.prefix(2).elementsEqual(Array((isBig ? "MM" : "II").utf8)))
        }
    }

    @Test(arguments: [TestPicture.Format.nef, .arw, .dng, .cr2])
    func `the sensor data extends to the end of a TIFF-based RAW file`(format: TestPicture.Format) throws {
        let file = try TestPicture(format, "", rawBytes: 400_000)
        #expect(file.bytes.count == 400_000)
        let tiff = TIFFReading(file.bytes)
        let sensor = try #require(
            tiff.directories().offsets.map { tiff.entries($0) }.first { entries in
                entries[0x0106].map { tiff.values($0) == [32_803] } ?? false
            })
        let start = tiff.values(try #require(sensor[0x0111]))[0]
        #expect(start + tiff.values(try #require(sensor[0x0117]))[0] == file.bytes.count)
        #expect(tiff.values(try #require(sensor[0x0100])) == [file.width])
        // CR2 and DNG contain lossless JPEG, which starts like a picture.
        let isLossless = file.bytes[start] == 0xFF && file.bytes[start + 1] == 0xD8
        if format == .cr2 || format == .dng { #expect(isLossless) }
    }

    @Test func `a CR3 file has JPEGs in THMB, PRVW and a track`() throws {
        let file = try TestPicture(.cr3, "")
        let thumbnail = try #require(content(of: "THMB", in: file))
        #expect(thumbnail + 16 == file.jpeg(.thumbnail)?.range.lowerBound)
        #expect(big(file.bytes, thumbnail + 8) == file.jpeg(.thumbnail)?.range.count)
        let preview = try #require(content(of: "PRVW", in: file))
        #expect(preview + 16 == file.jpeg(.preview)?.range.lowerBound)
        #expect(big(file.bytes, preview + 12) == file.jpeg(.preview)?.range.count)
        let chunk = try #require(content(of: "co64", in: file))
        #expect(big(file.bytes, chunk + 12) == file.jpeg(.full)?.range.lowerBound)
        let size = try #require(content(of: "stsz", in: file))
        #expect(big(file.bytes, size + 4) == file.jpeg(.full)?.range.count)
        let directory = try #require(content(of: "CMT1", in: file))
        let tiff = TIFFReading(file.bytes, at: directory)
        #expect(tiff.text(try #require(tiff.entries(tiff.first)[0x010F])) == "FrameFast")
    }

    @Test func `a CR3 file without a JPEG of full size has one track`() throws {
        let file = try TestPicture(.cr3, "no-full")
        #expect(file.jpeg(.full) == nil && file.jpeg(.preview) != nil)
        let chunk = try #require(content(of: "co64", in: file))
        #expect(big(file.bytes, chunk + 12) < file.bytes.count)
        let rest = Array(file.bytes[chunk...])
        #expect(!rest.indices.dropLast(4).contains { rest[$0..<$0 + 4].elementsEqual("co64".utf8) })
    }

    @Test func `a RAF file has the offset of its JPEG at byte 84`() throws {
        let file = try TestPicture(.raf, "")
        let picture = try #require(file.jpeg(.full)).range
        #expect(big(file.bytes, 84) == picture.lowerBound && big(file.bytes, 88) == picture.count)
        #expect(file.bytes[picture].starts(with: [0xFF, 0xD8, 0xFF, 0xE1]))
    }

    @Test(arguments: ["", "big-endian"])
    func `the EXIF of a JPEG has position, serial, time and color`(order: String) throws {
        let file = try TestPicture(.jpeg, "gps,adobe-rgb,orientation=6\(order.isEmpty ? "" : "," + order)")
        // After the start marker: APP1, its length, and the name.
        #expect(file.bytes[2..<4].elementsEqual([0xFF, 0xE1]))
        let tiff = TIFFReading(file.bytes, at: 12)
        let main = tiff.entries(tiff.first)
        #expect(tiff.values(try #require(main[0x0112])) == [6])
        let exif = tiff.entries(tiff.values(try #require(main[0x8769]))[0])
        #expect(tiff.text(try #require(exif[0x9003])) == "2023:11:14 22:13:27")
        #expect(tiff.text(try #require(exif[0xA431])) == "FF000001")
        #expect(tiff.values(try #require(exif[0xA001])) == [0xFFFF])
        let interoperability = tiff.entries(tiff.values(try #require(exif[0xA005]))[0])
        #expect(tiff.text(try #require(interoperability[1])) == "R03")
        let position = tiff.entries(tiff.values(try #require(main[0x8825]))[0])
        #expect(tiff.text(try #require(position[1])) == "N")
        #expect(tiff.number(try #require(position[2]).place, 4) == 52)
        let thumbnail = tiff.jpeg(in: tiff.next(tiff.first))
        #expect(thumbnail == file.jpeg(.thumbnail)?.range)
    }

    @Test(arguments: ["mpf", "mpf,big-endian"])
    func `the MPF index of a JPEG refers to the second picture`(words: String) throws {
        let file = try TestPicture(.jpeg, words)
        let name = Array("MPF\0".utf8)
        let place = try #require(
            (0..<file.bytes.count - 4).first { file.bytes[$0..<$0 + 4].elementsEqual(name) })
        let tiff = TIFFReading(file.bytes, at: place + 4)
        let entries = try #require(tiff.entries(tiff.first)[0xB002])
        #expect(entries.count == 32)
        let second = try #require(file.jpeg(.preview)).range
        #expect(tiff.number(entries.place + 4, 4) == second.lowerBound)
        #expect(tiff.number(entries.place + 20, 4) == second.count)
        #expect(tiff.base + tiff.number(entries.place + 24, 4) == second.lowerBound)
        #expect(second.upperBound == file.bytes.count)
    }

    @Test func `a JPEG contains its ICC profile in one segment`() throws {
        let bytes = try TestPicture(.jpeg, "adobe-icc").bytes
        let name = Array("ICC_PROFILE\0\u{1}\u{1}".utf8)
        let place = try #require((0..<bytes.count - 14).first { bytes[$0..<$0 + 14].elementsEqual(name) })
        let start = place + name.count
        let length = big(bytes, start)
        // The segment ends with the profile. The next segment is the quantization table.
        #expect(bytes[start + length..<start + length + 2].elementsEqual([0xFF, 0xDB]))
        #expect(bytes[start + 36..<start + 40].elementsEqual("acsp".utf8))
    }
}
