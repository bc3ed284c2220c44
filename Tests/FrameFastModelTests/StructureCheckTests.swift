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
        File("cut short.jpg", jpegHead + padding, isWhole: false),
        File("the end marker only of a thumbnail.jpg", jpegHead + [0xFF, 0xD9] + padding, isWhole: false),
        File("fill bytes.jpg", jpegHead + [0, 2, 0xFF, 0xFF, 0xFF, 0xDA, 1, 0xFF, 0xD9], isWhole: true),
        File(
            "cut in the thumbnail.jpg", jpegHead + [0x20, 0] + [0xFF, 0xD9] + padding.prefix(500),
            isWhole: false),
        File("cut before the picture.jpg", jpegHead + [0, 4, 0xFF, 0xD9], isWhole: false),
        File("no picture.jpg", Array("<html>".utf8) + padding + [0xFF, 0xD9], isWhole: false),
        File("one byte.jpg", [0xFF], isWhole: false), File("empty.jpg", [], isWhole: false),
    ]

    static let tiffs = [
        File("little.dng", tiff("II", [42, 0], [8, 0, 0, 0]), isWhole: true),
        File("big.nef", tiff("MM", [0, 42], [0, 0, 0, 8]), isWhole: true),
        File("panasonic.rw2", tiff("II", [0x55, 0], [8, 0, 0, 0]), isWhole: true),
        File("directory behind the end.cr2", tiff("II", [42, 0], [0, 0, 1, 0]), isWhole: false),
        File("directory in the head.arw", tiff("II", [42, 0], [2, 0, 0, 0]), isWhole: false),
        File("no TIFF.nef", padding, isWhole: false), File("short.nef", Array("II*".utf8), isWhole: false),
        File("empty.dng", [], isWhole: false),
    ]

    static let boxes = [
        File("a.cr3", box("ftyp", 16) + box("moov", 300) + box("mdat", 5_000), isWhole: true),
        File(
            "to the end.heic", box("ftyp", 16) + [0, 0, 0, 0] + Array("mdat".utf8) + padding, isWhole: true),
        File("long box.mov", box("ftyp", 16) + longBox("mdat", 3_000), isWhole: true),
        File("cut short.cr3", box("ftyp", 16) + box("mdat", 5_000).dropLast(), isWhole: false),
        File("cut in a head.cr3", box("ftyp", 16) + [0, 0, 0], isWhole: false),
        File("box of no length.cr3", box("ftyp", 16) + [0, 0, 0, 4] + Array("mdat".utf8), isWhole: false),
        File("long box cut.mp4", box("ftyp", 16) + longBox("mdat", 3_000).prefix(20), isWhole: false),
        File("no boxes.cr3", padding, isWhole: false), File("empty.cr3", [], isWhole: false),
    ]

    static let others = [
        File("fuji.raf", Array("FUJIFILMCCD-RAW 0201".utf8) + padding, isWhole: true),
        File("not fuji.raf", padding, isWhole: false), File("sidecar.xmp", Array("<x/>".utf8), isWhole: true),
        File("empty.xmp", [], isWhole: false), File("no extension", [1], isWhole: true),
    ]

    @Test(arguments: jpegs + tiffs + boxes + others)
    func `a file is whole when its start, its lengths and its end say so`(file: File) {
        let verdict = StructureCheck.verdict(name: file.name, size: UInt64(file.bytes.count)) {
            offset, count in
            Array(file.bytes.dropFirst(Int(offset)).prefix(count))
        }
        #expect((verdict == .whole) == file.isWhole, "\(verdict)")
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
