import Foundation
import Testing

@testable import TerminalUI

/// Tests that decode the encoded pictures by the rules of their protocols.
@Suite struct PictureDrawingTests {
    private static func gradient(_ width: Int, _ height: Int) throws -> Pixels {
        try #require(
            Pixels(
                width: width, height: height,
                bytes: (0..<(width * height * 3)).map { UInt8(truncatingIfNeeded: $0 * 7) }))
    }

    @Test(arguments: [(1, 1), (40, 30), (200, 100)])
    func `kitty commands contain every pixel, in payloads of at most 4,096 bytes`(size: (Int, Int)) throws {
        let pixels = try Self.gradient(size.0, size.1)
        let commands = PictureProtocol.kitty.drawing(pixels).components(separatedBy: "\u{1B}\\").dropLast()
        var base64 = ""
        for (index, command) in commands.enumerated() {
            let parts = command.components(separatedBy: ";")
            #expect(parts.count == 2 && parts[1].count <= 4_096)
            #expect(command.hasPrefix("\u{1B}_G"))
            #expect(parts[0].hasSuffix(index == commands.count - 1 ? "m=0" : "m=1"))
            if index == 0 { #expect(parts[0].contains("s=\(size.0),v=\(size.1)")) }
            base64 += parts[1]
        }
        #expect(Data(base64Encoded: base64).map { Array($0) } == pixels.bytes)
    }

    /// Decodes sixels as a terminal does. An undrawn pixel is `nil`.
    private func drawn(_ text: String, _ width: Int, _ height: Int) throws -> [Int?] {
        var image = [Int?](repeating: nil, count: width * height)
        var (x, y, color) = (0, 0, 0)
        let head = "\u{1B}Pq\"1;1;\(width);\(height)"
        #expect(text.hasPrefix(head) && text.hasSuffix("\u{1B}\\"))
        var rest = text.dropFirst(head.count).dropLast(2)
        while let sign = rest.first {
            if let match = rest.prefixMatch(of: /#(\d+)(;2;\d+;\d+;\d+)?/) {
                color = try #require(Int(match.output.1))
                rest = rest[match.range.upperBound...]
                continue
            }
            var (count, value) = (1, sign)
            if let match = rest.prefixMatch(of: /!(\d+)(.)/) {
                count = try #require(Int(match.output.1))
                value = try #require(match.output.2.first)
                rest = rest[match.range.upperBound...]
            } else {
                rest = rest.dropFirst()
            }
            switch value {
            case "$": x = 0
            case "-": (x, y) = (0, y + 6)
            default:
                let bits = Int(try #require(value.asciiValue)) - 63
                #expect((0..<64).contains(bits))
                for _ in 0..<count {
                    for row in 0..<6 where bits >> row & 1 == 1 {
                        #expect(y + row < height && x < width)
                        image[(y + row) * width + x] = color
                    }
                    x += 1
                }
            }
        }
        return image
    }

    @Test(arguments: [(1, 1), (5, 6), (7, 13), (64, 20)])
    func `sixels draw every pixel in a similar color`(size: (Int, Int)) throws {
        let pixels = try Self.gradient(size.0, size.1)
        let image = try drawn(PictureProtocol.sixel.drawing(pixels), size.0, size.1)
        for (index, color) in image.enumerated() {
            let color = try #require(color)
            for (channel, level) in [color / 36, color / 6 % 6, color % 6].enumerated() {
                let apart = abs(level * 51 - Int(pixels.bytes[index * 3 + channel]))
                #expect(apart <= 51, "pixel \(index)")
            }
        }
    }

    @Test func `dithers only areas between two color levels`() throws {
        let even = try #require(Pixels(width: 8, height: 8, bytes: [UInt8](repeating: 102, count: 192)))
        #expect(Set(try drawn(PictureProtocol.sixel.drawing(even), 8, 8)) == [2 * 36 + 2 * 6 + 2])
        let between = try #require(Pixels(width: 8, height: 8, bytes: [UInt8](repeating: 127, count: 192)))
        #expect(Set(try drawn(PictureProtocol.sixel.drawing(between), 8, 8)).count == 2)
    }

    @Test(arguments: [
        ("\u{1B}[?62;4;22c", PictureProtocol.sixel as PictureProtocol?),
        ("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62c", .kitty),
        ("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;4c", .kitty),
        ("\u{1B}_Gi=31;EINVAL:no\u{1B}\\\u{1B}[?62;22c", nil), ("\u{1B}[?1;2c", nil), ("\u{1B}[?4c", nil),
    ])
    func `detects the picture protocol of a terminal`(answer: String, pictures: PictureProtocol?) {
        var probe = PictureProbe()
        for byte in answer.utf8 {
            #expect(!probe.isComplete)
            probe.feed([byte])
        }
        #expect(probe.isComplete && probe.pictures == pictures)
    }

    @Test func `rejects pixels with a wrong number of bytes`() {
        #expect(Pixels(width: 2, height: 2, bytes: [UInt8](repeating: 0, count: 11)) == nil)
        #expect(Pixels(width: 0, height: 0, bytes: []) == nil)
    }
}
