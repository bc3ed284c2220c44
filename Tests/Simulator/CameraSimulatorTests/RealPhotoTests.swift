import Testing

@testable import CameraSimulator

/// Tests of the camera's option for real pictures. `TestPicturesTests` tests the content of the files.
@Suite struct RealPhotoTests {
    private static let words = "real,320x240,smooth"

    @Test func `parses words into the options that they name`() throws {
        var expected = RealPhotoOptions()
        (expected.width, expected.height) = (6_000, 4_000)
        expected.orientation = 6
        expected.color = .adobeRGB
        expected.hasSecondPicture = true
        expected.defect = .truncated
        let options = try RealPhotoOptions.options(
            from: "real,6000x4000,orientation=6,adobe-rgb mpf,broken=truncated")
        #expect(options == expected)
        #expect(try RealPhotoOptions.options(from: "real") == RealPhotoOptions())
        #expect(try RealPhotoOptions.options(from: "padded") == nil)
    }

    @Test(arguments: [
        "", "nonsense", "real,sepia", "padded,mpf", "real,orientation=0", "real,70000x10",
    ])
    func `refuses unknown words and values out of range`(text: String) throws {
        #expect(throws: SimulatorError.self) { try RealPhotoOptions.options(from: text) }
    }

    @Test func `parses every word of the help`() throws {
        let lines = RealPhotoOptions.usage.split(separator: "\n").dropFirst()
        let words = lines.flatMap { line in
            line.prefix { $0 != ":" }.split(separator: ",").map { word in
                word.filter { $0 != " " }.replacing("WxH", with: "640x480").replacing("=N", with: "=3")
            }
        }
        #expect(words.count > 15)
        for word in words {
            #expect(throws: Never.self, "\(word)") { try RealPhotoOptions.options(from: "real,\(word)") }
        }
    }

    @Test(arguments: Maker.allCases)
    func `both files of a pair contain the same real picture`(maker: Maker) throws {
        var test = TestCamera(maker, recording: .pair, cardBytes: 10_000_000)
        test.camera.pictures = try RealPhotoOptions.options(from: Self.words)
        let files = try test.camera.shoot(at: TestCamera.noon, pair: true)
        #expect(files.count == 2)
        let raw = try #require(files.first)
        let jpeg = try #require(files.last)
        #expect(jpeg.width == 320 && jpeg.height == 240)
        #expect(raw.thumbnail.bytes == jpeg.thumbnail.bytes)
        // Both files contain the same picture of full size, without the EXIF of the JPEG.
        let picture = EncodedPicture(
            .full, number: 1, options: try #require(try RealPhotoOptions.options(from: Self.words)))
        let body = Array(picture.body)
        #expect(jpeg.bytes.bytes.suffix(body.count).elementsEqual(body))
        #expect(Self.contains(body, in: raw.bytes.bytes))
    }

    private static func contains(_ part: [UInt8], in bytes: [UInt8]) -> Bool {
        (0...bytes.count - part.count).contains { start in
            bytes[start] == part[0] && bytes[start + 1] == part[1]
                && bytes[start..<start + part.count].elementsEqual(part)
        }
    }

    @Test func `the control socket changes the content of later photos`() throws {
        var options = SimulatorOptions()
        options.sizes = 30_000...30_000
        let simulator = try Simulator(options)
        func shoot() throws -> CardObject {
            try #require(try simulator.press().first)
        }
        #expect(try shoot().bytes.count == 30_000)
        #expect(simulator.reply(to: "pictures \(Self.words)") == "ok")
        let real = try shoot()
        #expect(real.bytes.count != 30_000 && real.width == 320)
        #expect(simulator.reply(to: "pictures padded") == "ok")
        #expect(try shoot().bytes.count == 30_000)
        #expect(simulator.reply(to: "pictures sepia").hasPrefix("error cannot make pictures"))
    }

    @Test func `real pictures differ by number and are reproducible`() throws {
        let options = try #require(try RealPhotoOptions.options(from: Self.words))
        func photo(_ number: Int) -> [UInt8] {
            let metadata = ShotMetadata(
                make: "FrameFast", model: "Test", serial: "42", number: number, time: TestCamera.noon)
            return RealPhoto(metadata: metadata, options: options).jpeg(second: nil)
        }
        #expect(photo(1) == photo(1))
        #expect(Set((1...12).map(photo)).count == 12)
    }

    @Test func `the frame header of a lossless JPEG announces 14 bits`() {
        let scene = PictureScene(number: 1, width: 64, height: 64, orientation: 1, isAdobeRGB: false)
        let bytes = LosslessJPEG.file(scene, width: 64, height: 64)
        // The Huffman table has 17 codes. The frame follows the table.
        let frame = 2 + 4 + 1 + 16 + 17
        #expect(bytes[frame..<frame + 5].elementsEqual([0xFF, 0xC3, 0, 11, 14]))
        #expect(bytes.suffix(2).elementsEqual([0xFF, 0xD9]))
    }
}
