import Foundation
import FrameFastModel
import Testing

@Suite struct ExifReaderTests {
    /// One entry of the EXIF directory.
    enum Value {
        case short(UInt16)
        case long(UInt32)
        case ratio(UInt32, UInt32)
        case ascii(String)
    }

    static func exif(_ bytes: [UInt8]) -> PhotoExif? {
        ExifReader.exif(size: UInt64(bytes.count)) { offset, count in
            guard offset < UInt64(bytes.count), count > 0 else { return [] }
            return Array(bytes[Int(offset)..<min(Int(offset) + count, bytes.count)])
        }
    }

    /// A TIFF whose first directory points to one of EXIF with these entries.
    static func tiff(_ entries: [(UInt16, Value)], isLittle: Bool = true, isDirect: Bool = false) -> [UInt8] {
        func number(_ value: UInt64, _ bytes: Int) -> [UInt8] {
            let big = (0..<bytes).map { UInt8(value >> UInt64((bytes - 1 - $0) * 8) & 255) }
            return isLittle ? big.reversed() : big
        }
        let start = isDirect ? 8 : 26
        var out = Array((isLittle ? "II" : "MM").utf8) + number(42, 2) + number(8, 4)
        if !isDirect {
            out += number(1, 2) + number(0x8769, 2) + number(4, 2) + number(1, 4) + number(UInt64(start), 4)
            out += number(0, 4)
        }
        out += number(UInt64(entries.count), 2)
        var rest: [UInt8] = []
        let restStart = start + 2 + entries.count * 12 + 4
        for (tag, value) in entries {
            out += number(UInt64(tag), 2)
            switch value {
            case .short(let value): out += number(3, 2) + number(1, 4) + number(UInt64(value), 2) + [0, 0]
            case .long(let value): out += number(4, 2) + number(1, 4) + number(UInt64(value), 4)
            case .ratio(let top, let bottom):
                out += number(5, 2) + number(1, 4) + number(UInt64(restStart + rest.count), 4)
                rest += number(UInt64(top), 4) + number(UInt64(bottom), 4)
            case .ascii(let text):
                let bytes = Array(text.utf8) + [0]
                out += number(2, 2) + number(UInt64(bytes.count), 4)
                out += number(UInt64(restStart + rest.count), 4)
                rest += bytes
            }
        }
        return out + number(0, 4) + rest
    }

    static let usual: [(UInt16, Value)] = [
        (0x829A, .ratio(1, 250)), (0x829D, .ratio(28, 10)), (0x8827, .short(400)), (0x920A, .ratio(85, 1)),
        (0xA434, .ascii("85mm F1.8")),
    ]

    static func jpeg(_ block: [UInt8]) -> [UInt8] {
        RatingReaderTests.jpeg([Array("Exif\0\0".utf8) + block])
    }

    @Test(arguments: [true, false])
    func `a JPEG and a RAW file say how they were taken, in either byte order`(isLittle: Bool) {
        let tiff = Self.tiff(Self.usual, isLittle: isLittle)
        #expect(Self.exif(tiff) == .example)
        #expect(Self.exif(Self.jpeg(tiff)) == .example)
        let front: [UInt8] = Array("FUJIFILMCCD-RAW 0201FF389501".utf8) + [UInt8](repeating: 0, count: 56)
        let raf = front + [0, 0, 0, 96] + [UInt8](repeating: 0, count: 8) + Self.jpeg(tiff)
        #expect(Self.exif(raf) == .example)
    }

    @Test func `a CR3 says it in a box of Canon's`() {
        func box(_ kind: String, _ body: [UInt8]) -> [UInt8] {
            let count = body.count + 8
            return (0..<4).map { UInt8(count >> ((3 - $0) * 8) & 255) } + Array(kind.utf8) + body
        }
        let id: [UInt8] = [
            0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
        ]
        let block = Self.tiff(Self.usual, isDirect: true)
        let canon = id + box("CMT1", Self.tiff([])) + box("CMT2", block)
        let front = box("ftyp", Array("crx \0\0\0\u{1}crx isom".utf8))
        #expect(Self.exif(front + box("moov", box("uuid", canon)) + box("mdat", [1])) == .example)
        #expect(Self.exif(front + box("moov", box("trak", [1, 2]))) == nil)
        #expect(Self.exif(front + box("mdat", canon)) == nil)
    }

    @Test(arguments: [
        ([(0x8827, Value.short(0))], nil as PhotoExif?), ([(0x829A, .ratio(1, 0))], nil),
        ([(0x829A, .ratio(0, 1))], nil), ([(0x829A, .ratio(.max, 1))], nil),
        ([(0x829D, .ratio(0, 0))], nil), ([(0x920A, .ratio(0, 1))], nil), ([(0xA434, .ascii("------"))], nil),
        ([(0xA434, .ascii(""))], nil), ([(0x829A, .short(1))], nil),
        // A sensitivity that 16 bits cannot hold stands in another tag.
        ([(0x8827, .short(65_535)), (0x8832, .long(102_400))], PhotoExif(iso: 102_400)),
        ([(0x8827, .short(64)), (0x829A, .ratio(1, 0))], PhotoExif(iso: 64)),
        ([(0xA434, .ascii("  NIKKOR  Z\n50 "))], PhotoExif(lens: "NIKKOR Z 50")),
    ])
    func `numbers that no camera has are none`(entries: [(Int, Value)], exif: PhotoExif?) {
        #expect(Self.exif(Self.tiff(entries.map { (UInt16($0.0), $0.1) })) == exif)
    }

    @Test func `a file that is cut anywhere, or is none, says less and harms nothing`() {
        for whole in [Self.tiff(Self.usual), Self.jpeg(Self.tiff(Self.usual))] {
            for count in 0..<whole.count { _ = Self.exif(Array(whole.prefix(count))) }
        }
        #expect(Self.exif([]) == nil)
        #expect(Self.exif(Array("hello".utf8)) == nil)
        #expect(Self.exif(RatingReaderTests.jpeg([])) == nil)
        // A directory that lies in itself, and one that lies nowhere.
        #expect(Self.exif(Self.tiff([(0x8769, .long(8))], isDirect: true)) == nil)
        #expect(Self.exif(Self.tiff([(0x8769, .long(.max))], isDirect: true)) == nil)
    }
}
