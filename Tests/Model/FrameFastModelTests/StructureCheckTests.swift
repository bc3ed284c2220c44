import FrameFastModel
import Testing

@Suite struct StructureCheckTests {
    struct File: Sendable, CustomTestStringConvertible {
        var name: String
        var bytes: [UInt8]
        var isWhole: Bool
        var testDescription: String { "\(name), \(bytes.count) bytes" }

        init(_ name: String, _ bytes: [UInt8], isWhole: Bool) {
            self.name = name
            self.bytes = bytes
            self.isWhole = isWhole
        }
    }

    private static let jpegHead: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1]
    private static let padding = [UInt8](repeating: 0x20, count: 200_000)

    static let jpegs = [
        File("a.jpg", jpegHead + padding + [0xFF, 0xD9], isWhole: true),
        File("a.JPEG", jpegHead + [0, 2, 0xFF, 0xDA, 1, 0xFF, 0xD9], isWhole: true),
        File(
            "maker data after the end.jpg", jpegHead + padding + [0xFF, 0xD9] + padding.prefix(9_000),
            isWhole: true),
        File("truncated.jpg", jpegHead + padding, isWhole: false),
        File("end marker only in the thumbnail.jpg", jpegHead + [0xFF, 0xD9] + padding, isWhole: false),
        File("fill bytes.jpg", jpegHead + [0, 2, 0xFF, 0xFF, 0xFF, 0xDA, 1, 0xFF, 0xD9], isWhole: true),
        File(
            "truncated in the thumbnail.jpg", jpegHead + [0x20, 0] + [0xFF, 0xD9] + padding.prefix(500),
            isWhole: false),
        File("truncated before the image data.jpg", jpegHead + [0, 4, 0xFF, 0xD9], isWhole: false),
        File("not a JPEG.jpg", Array("<html>".utf8) + padding + [0xFF, 0xD9], isWhole: false),
        File("one byte.jpg", [0xFF], isWhole: false), File("empty.jpg", [], isWhole: false),
    ]

    static let tiffs = [
        File("little.dng", tiff("II", [42, 0], [8, 0, 0, 0]), isWhole: true),
        File("big.nef", tiff("MM", [0, 42], [0, 0, 0, 8]), isWhole: true),
        File("panasonic.rw2", tiff("II", [0x55, 0], [8, 0, 0, 0]), isWhole: true),
        File("directory after the end.cr2", tiff("II", [42, 0], [0, 0, 1, 0]), isWhole: false),
        File("directory in the header.arw", tiff("II", [42, 0], [2, 0, 0, 0]), isWhole: false),
        File("not a TIFF.nef", padding, isWhole: false), File("short.nef", Array("II*".utf8), isWhole: false),
        File("empty.dng", [], isWhole: false),
    ]

    static let boxes = [
        File("a.cr3", box("ftyp", 16) + box("moov", 300) + box("mdat", 5_000), isWhole: true),
        File(
            "last box to the end.heic", box("ftyp", 16) + [0, 0, 0, 0] + Array("mdat".utf8) + padding,
            isWhole: true),
        File("long box.mov", box("ftyp", 16) + longBox("mdat", 3_000), isWhole: true),
        File("quicktime without a file type.MOV", box("mdat", 3_000) + box("moov", 300), isWhole: true),
        File("wide box first.mov", box("wide", 8) + box("mdat", 3_000) + box("moov", 300), isWhole: true),
        File("truncated quicktime.mov", box("mdat", 3_000).dropLast(), isWhole: false),
        File("truncated.cr3", box("ftyp", 16) + box("mdat", 5_000).dropLast(), isWhole: false),
        File("truncated in a box header.cr3", box("ftyp", 16) + [0, 0, 0], isWhole: false),
        File(
            "box with an invalid length.cr3", box("ftyp", 16) + [0, 0, 0, 4] + Array("mdat".utf8),
            isWhole: false),
        File("truncated long box.mp4", box("ftyp", 16) + longBox("mdat", 3_000).prefix(20), isWhole: false),
        File("no boxes.cr3", padding, isWhole: false), File("empty.cr3", [], isWhole: false),
    ]

    static let others = [
        File(
            "fuji.raf", Array("FUJIFILMCCD-RAW 0201".utf8) + [UInt8](repeating: 0, count: 9_000),
            isWhole: true),
        File("not fuji.raf", padding, isWhole: false), File("sidecar.xmp", Array("<x/>".utf8), isWhole: true),
        File("empty.xmp", [], isWhole: false), File("no extension", [1], isWhole: true),
    ]

    /// Returns the bytes of a TIFF directory. Each entry consists of tag, type, count and value. `next` is
    /// the offset of the next directory.
    private static func directory(_ entries: [(UInt16, UInt16, UInt32, UInt32)], next: UInt32 = 0) -> [UInt8]
    {
        func little(_ value: UInt32, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        return little(UInt32(entries.count), 2)
            + entries.flatMap {
                little(UInt32($0.0), 2) + little(UInt32($0.1), 2) + little($0.2, 4) + little($0.3, 4)
            }
            + little(next, 4)
    }

    /// Returns a file of 1,000 bytes with a directory at its start, and a second directory at byte 500.
    private static func raw(
        _ name: String, magic: String = "*\0", _ entries: [(UInt16, UInt16, UInt32, UInt32)],
        next: UInt32 = 0, second: [(UInt16, UInt16, UInt32, UInt32)] = [], isWhole: Bool
    ) -> File {
        var bytes = Array("II\(magic)".utf8) + [8, 0, 0, 0] + directory(entries, next: next)
        bytes += [UInt8](repeating: 0, count: 500 - bytes.count) + directory(second)
        bytes += [UInt8](repeating: 0, count: 1_000 - bytes.count)
        return File(name, bytes, isWhole: isWhole)
    }

    static let raws: [File] = [
        raw("strip inside.dng", [(0x111, 4, 1, 600), (0x117, 4, 1, 400)], isWhole: true),
        raw("strip one byte too long.dng", [(0x111, 4, 1, 600), (0x117, 4, 1, 401)], isWhole: false),
        raw("strip that overflows.cr2", [(0x111, 4, 1, 0xFFFF_FFFE), (0x117, 4, 1, .max)], isWhole: false),
        raw("short counts.nef", [(0x111, 4, 1, 600), (0x117, 3, 1, 400)], isWhole: true),
        raw("strip with offset 0xFFFFFFFF.arw", [(0x111, 4, 1, .max), (0x117, 4, 1, 50)], isWhole: true),
        raw("strip without a count.arw", [(0x111, 4, 1, 5_000)], isWhole: true),
        raw("tiles after the end.dng", [(0x144, 4, 1, 990), (0x145, 4, 1, 20)], isWhole: false),
        raw("list of strips after the end.dng", [(0x111, 4, 300, 900), (0x117, 4, 300, 0)], isWhole: false),
        raw("list with too many values.dng", [(0x111, 4, .max, 0), (0x117, 4, .max, 0)], isWhole: true),
        raw("preview after the end.nef", [(0x201, 4, 1, 900), (0x202, 4, 1, 200)], isWhole: false),
        raw(
            "raw data of the second directory after the end.cr2", [(0x100, 4, 1, 5)], next: 500,
            second: [(0x111, 4, 1, 900), (0x117, 4, 1, 101)], isWhole: false),
        raw(
            "raw data of the second directory inside.cr2", [(0x100, 4, 1, 5)], next: 500,
            second: [(0x111, 4, 1, 900), (0x117, 4, 1, 100)], isWhole: true),
        raw(
            "raw data of a subdirectory after the end.nef", [(0x14A, 4, 1, 500)],
            second: [(0x111, 4, 1, 900), (0x117, 4, 1, 101)], isWhole: false),
        raw("second directory after the end.cr2", [(0x100, 4, 1, 5)], next: 1_000, isWhole: false),
        raw("directory that refers to itself.cr2", [(0x100, 4, 1, 5)], next: 8, isWhole: true),
        raw("subdirectory with offset 0xFFFFFFFF.arw", [(0x14A, 4, 1, .max)], isWhole: true),
        raw("empty subdirectory.arw", [(0x14A, 4, 1, 700)], isWhole: true),
        raw(
            "invalid types.arw", [(0x14A, 4, 1, 500)], second: [(0x111, 99, 1, 9_000)],
            isWhole: true),
        raw(
            "compressed strip with its uncompressed length.3FR",
            [(0x103, 3, 1, 7), (0x111, 4, 1, 600), (0x117, 4, 1, 900)],
            isWhole: true),
        raw(
            "truncated before the compressed data.3fr",
            [(0x103, 3, 1, 7), (0x111, 4, 1, 1_000), (0x117, 4, 1, 900)], isWhole: false),
        raw(
            "truncated uncompressed data.3fr", [(0x103, 3, 1, 1), (0x111, 4, 1, 600), (0x117, 4, 1, 401)],
            isWhole: false),
        raw(
            "compressed strip with its uncompressed length.nef",
            [(0x103, 3, 1, 7), (0x111, 4, 1, 600), (0x117, 4, 1, 900)],
            isWhole: false),
        raw(
            "strip inside.orf", magic: "RO", [(0x111, 4, 1, 600), (0x117, 4, 1, 400)], isWhole: true),
        raw("truncated.orf", magic: "RO", [(0x111, 4, 1, 600), (0x117, 4, 1, 401)], isWhole: false),
        raw("truncated.ori", magic: "RS", [(0x111, 4, 1, 600), (0x117, 4, 1, 401)], isWhole: false),
        File("raf inside.raf", raf([108, 50, 158, 20, 178, 22]), isWhole: true),
        File("truncated raf.raf", raf([108, 50, 158, 20, 178, 23]), isWhole: false),
        File("raf that overflows.raf", raf([108, .max, 158, 20, 178, 22]), isWhole: false),
        File("raf without a preview.raf", raf([0, 0, 158, 20, 178, 22]), isWhole: true),
    ]

    private static func raf(_ directory: [UInt32]) -> [UInt8] {
        let front = Array("FUJIFILMCCD-RAW 0201".utf8) + [UInt8](repeating: 32, count: 64)
        let words = directory.flatMap { value in
            (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - $0 * 8)) }
        }
        return front + words + [UInt8](repeating: 1, count: 92)
    }

    /// An arithmetic overflow would crash this test.
    @Test(arguments: ["a.dng", "a.nef", "a.raf", "a.cr3", "a.mov", "a.jpg"])
    func `checks random data with a bounded number of reads`(
        name: String
    ) {
        var state: UInt64 = 7
        for round in 0..<300 {
            var bytes = (0..<400).map { _ -> UInt8 in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                // Prefers the extreme values 0 and 255.
                return [0, 0, 0xFF, UInt8(truncatingIfNeeded: state >> 56)][Int(state >> 40) & 3]
            }
            let starts: [[UInt8]] = [
                Array("II".utf8) + [42, 0, 8, 0, 0, 0, 20, 0], Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 20],
                Array("FUJIFILMCCD-RAW".utf8), [0, 0, 0, 16] + Array("ftyp".utf8), [0xFF, 0xD8, 0xFF],
            ]
            bytes.replaceSubrange(0..<starts[round % 5].count, with: starts[round % 5])
            var reads = 0
            let size: UInt64 = round % 2 == 0 ? 400 : .max
            _ = StructureCheck.check(name: name, size: size) { offset, count in
                reads += 1
                guard offset < 400 else { return [UInt8](repeating: 0, count: min(count, 16)) }
                return Array(bytes.dropFirst(Int(offset)).prefix(count))
            }
            #expect(reads < 200_000)
        }
    }

    @Test(arguments: jpegs + tiffs + raws + boxes + others)
    func `reports a file as complete by header, lengths and end marker`(file: File) {
        let outcome = StructureCheck.check(name: file.name, size: UInt64(file.bytes.count)) {
            offset, count in
            Array(file.bytes.dropFirst(Int(offset)).prefix(count))
        }
        #expect((outcome == .whole) == file.isWhole, "\(outcome)")
    }

    private static func tiff(_ order: String, _ magic: [UInt8], _ directory: [UInt8]) -> [UInt8] {
        Array(order.utf8) + magic + directory + [UInt8](repeating: 0, count: 100)
    }

    private static func box(_ type: String, _ length: Int) -> [UInt8] {
        [0, 0, UInt8(length >> 8), UInt8(length & 255)] + Array(type.utf8)
            + [UInt8](repeating: 7, count: length - 8)
    }

    private static func longBox(_ type: String, _ length: Int) -> [UInt8] {
        [0, 0, 0, 1] + Array(type.utf8) + [0, 0, 0, 0, 0, 0, UInt8(length >> 8), UInt8(length & 255)]
            + [UInt8](repeating: 7, count: length - 16)
    }
}
