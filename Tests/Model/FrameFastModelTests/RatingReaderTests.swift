import Foundation
import FrameFastModel
import Testing

@Suite struct RatingReaderTests {
    static func rating(_ bytes: [UInt8]) -> Int? {
        RatingReader.rating(size: UInt64(bytes.count)) { offset, count in
            guard offset < UInt64(bytes.count), count > 0 else { return [] }
            return Array(bytes[Int(offset)..<min(Int(offset) + count, bytes.count)])
        }
    }

    /// Returns a TIFF with one directory that has these entries.
    static func tiff(_ entries: [(tag: UInt16, value: UInt16)], isLittle: Bool = true) -> [UInt8] {
        func short(_ value: UInt16) -> [UInt8] {
            let bytes = [UInt8(value >> 8), UInt8(value & 255)]
            return isLittle ? bytes.reversed() : bytes
        }
        func long(_ value: UInt16) -> [UInt8] { isLittle ? short(value) + [0, 0] : [0, 0] + short(value) }
        var bytes: [UInt8] = Array((isLittle ? "II" : "MM").utf8)
        bytes += short(42)
        bytes += long(8)
        bytes += short(UInt16(entries.count))
        for entry in entries {
            bytes += short(entry.tag)
            bytes += short(3)
            bytes += long(1)
            bytes += short(entry.value)
            bytes += [0, 0]
        }
        return bytes + [0, 0, 0, 0]
    }

    static func segment(_ body: [UInt8]) -> [UInt8] {
        [0xFF, 0xE1, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 255)] + body
    }

    static func jpeg(_ segments: [[UInt8]]) -> [UInt8] {
        [0xFF, 0xD8] + segments.flatMap { segment($0) } + [0xFF, 0xDA, 0, 2, 1, 2, 3, 0xFF, 0xD9]
    }

    static func exif(_ stars: UInt16, isLittle: Bool = true) -> [UInt8] {
        Array("Exif\0\0".utf8) + tiff([(0x0110, 1), (0x4746, stars)], isLittle: isLittle)
    }

    static func xmp(_ text: String) -> [UInt8] {
        Array("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta \(text)>".utf8)
    }

    static func box(_ name: String, _ body: [UInt8]) -> [UInt8] {
        let length = UInt32(body.count + 8)
        var bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> UInt32($0)) }
        bytes += Array(name.utf8)
        return bytes + body
    }

    static let xmpBox: [UInt8] = [
        0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
    ]

    static let raf: [UInt8] = {
        var bytes = Array("FUJIFILMCCD-RAW ".utf8)
        bytes += [UInt8](repeating: 0, count: 68)
        bytes += [0, 0, 0, 96]
        bytes += [UInt8](repeating: 0, count: 8)
        return bytes + jpeg([exif(2)])
    }()

    static let cr3: [UInt8] =
        box("ftyp", Array("crx 0001".utf8)) + box("uuid", xmpBox + xmp("xmp:Rating=\"5\""))

    static let files: [(String, [UInt8], Int?)] = [
        ("EXIF, little endian", jpeg([exif(3)]), 3),
        ("EXIF, big endian", jpeg([exif(5, isLittle: false)]), 5),
        ("XMP attribute", jpeg([xmp("xmp:Rating=\"4\"")]), 4),
        ("XMP attribute, single quotes and spaces", jpeg([xmp("xmp:Rating = '2'")]), 2),
        ("XMP element", jpeg([xmp("><xmp:Rating>1</xmp:Rating")]), 1),
        ("XMP rejected", jpeg([xmp("xmp:Rating=\"-1\"")]), -1),
        ("XMP takes precedence over EXIF", jpeg([exif(0), xmp("xmp:Rating=\"4\"")]), 4),
        ("XMP without a rating", jpeg([exif(2), xmp("xmp:Label=\"Red\"")]), 2),
        ("XMP with a similar attribute first", jpeg([xmp("xmp:RatingNote=\"5\" xmp:Rating=\"3\"")]), 3),
        ("EXIF without a rating", jpeg([Array("Exif\0\0".utf8) + tiff([(0x0110, 1)])]), nil),
        ("EXIF with an invalid rating", jpeg([exif(77)]), nil),
        ("no metadata", jpeg([]), nil),
        ("a TIFF-based RAW file", tiff([(0x4746, 4)]), 4),
        ("a CR3 with XMP", cr3, 5),
        ("a CR3 without XMP", box("ftyp", Array("crx 0001".utf8)) + box("mdat", [1, 2, 3]), nil),
        ("a RAF", raf, 2),
        ("empty", [], nil), ("text", Array("hello".utf8), nil),
    ]

    @Test(arguments: files)
    func `finds the rating in EXIF and XMP of each format`(what: String, bytes: [UInt8], stars: Int?) {
        #expect(Self.rating(bytes) == stars, "\(what)")
    }

    /// A SplitMix64 random generator with a fixed seed. Each run of the test uses the same damage.
    struct Damage {
        var state: UInt64 = 20_261_121
        mutating func next(_ limit: Int) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return Int((mixed ^ (mixed >> 31)) % UInt64(limit))
        }
    }

    @Test func `reads damaged files without a crash or large reads`() {
        var damage = Damage()
        for round in 0..<20_000 {
            var bytes = Self.files[round % Self.files.count].1
            for _ in 0..<damage.next(8) where !bytes.isEmpty {
                bytes[damage.next(bytes.count)] = UInt8(
                    [0, 1, 0x7F, 0x80, 0xFF, damage.next(256)][damage.next(6)])
            }
            if !bytes.isEmpty && damage.next(4) == 0 { bytes.removeLast(damage.next(bytes.count)) }
            var largest = 0
            let stars = RatingReader.rating(size: UInt64(bytes.count)) { offset, count in
                largest = max(largest, count)
                guard count > 0, offset < UInt64(bytes.count) else { return [] }
                return Array(bytes[Int(offset)..<min(Int(offset) + count, bytes.count)])
            }
            #expect(largest <= 256 * 1024)
            if let stars { #expect((-1...5).contains(stars)) }
        }
    }

    @Test func `reads a file of maximum size with a bounded number of reads`() {
        var calls = 0
        let stars = RatingReader.rating(size: .max) { _, count in
            calls += 1
            return [UInt8](repeating: 0xFF, count: count)
        }
        #expect(stars == nil)
        #expect(calls < 200)
    }
}
