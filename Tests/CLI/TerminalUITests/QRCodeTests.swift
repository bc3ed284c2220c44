import Testing

@testable import TerminalUI

/// Tests that compare QR codes with codes of an independent encoder (the Python package `qrcode` 8.2), with
/// the same masks. `WebProgramTests` reads the drawn code with zbar.
@Suite struct QRCodeTests {
    /// Returns the modules as rows of `#` and `.`.
    private static func rows(_ code: QRCode) -> [String] {
        (0..<code.size).map { y in
            (0..<code.size).map { x in code.isDark(x, y) ? "#" : "." }.joined()
        }
    }

    @Test func `encodes a short text as version 1`() throws {
        let code = try #require(QRCode("framefast"))
        #expect(code.version == 1 && code.mask == 2)
        #expect(Self.rows(code) == Self.short)
    }

    @Test func `encodes a page's address as version 3, with an alignment pattern`() throws {
        let code = try #require(QRCode("https://192.168.1.20:9480/#K7QM-4R2P"))
        #expect(code.version == 3 && code.mask == 2)
        #expect(Self.rows(code) == Self.address)
    }

    /// Each row has the length of a text, the mask, and the FNV-1a hash of the modules. Some of these
    /// versions have several blocks, or a version pattern.
    @Test(
        arguments: [
            (26, 0, 0x4bf843ba29324e81),
            (62, 0, 0xa69725219cf4d7b7),
            (84, 0, 0x3456965cb815a7dd),
            (106, 3, 0x1b90b6ac83d0ff3f),
            (122, 0, 0xb518e027c39e671b),
            (152, 2, 0xedf58e17d4922061),
            (180, 0, 0xe4f110a7b3a2067d),
            (213, 0, 0xd7a0a67bc91e7463),
        ] as [(Int, Int, UInt64)])
    func `encodes each further version like the independent encoder`(
        bytes: Int, mask: Int, hash: UInt64
    ) throws {
        let code = try #require(QRCode(String(repeating: "x", count: bytes)))
        #expect(code.mask == mask)
        let computed = Self.rows(code).joined().utf8.reduce(14_695_981_039_346_656_037 as UInt64) {
            ($0 ^ ($1 == UInt8(ascii: "#") ? 1 : 0)) &* 1_099_511_628_211
        }
        #expect(computed == hash)
    }

    @Test(
        arguments: [
            (0, 1), (14, 1), (15, 2), (26, 2), (42, 3), (62, 4), (84, 5), (106, 6), (122, 7), (152, 8),
            (180, 9), (181, 10), (213, 10),
        ])
    func `uses the smallest version for a length`(bytes: Int, version: Int) throws {
        let code = try #require(QRCode(String(repeating: "x", count: bytes)))
        #expect(code.version == version && code.size == 17 + 4 * version)
    }

    @Test func `refuses a text of more than 213 bytes`() {
        #expect(QRCode(String(repeating: "x", count: 214)) == nil)
        #expect(QRCode(String(repeating: "é", count: 107)) == nil)
    }

    @Test func `computes the error correction of the standard's version 1-M example`() {
        // ISO/IEC 18004, annex I: "01234567" in numeric mode.
        let data: [UInt8] = [
            0x10, 0x20, 0x0C, 0x56, 0x61, 0x80, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11,
        ]
        #expect(
            ReedSolomon(count: 10).remainder(of: data[...]) == [
                0xA5, 0x24, 0xD4, 0xC1, 0xED, 0x36, 0xC7, 0x87, 0x2C, 0x55,
            ])
    }

    @Test func `draws two rows per line, with a border of four modules`() throws {
        let lines = QRCodeView("framefast").lines(Layout(width: 80, hasMargins: false))
        #expect(lines.count == (21 + 8 + 1) / 2 && lines.allSatisfy { $0.width == 29 })
        let style = Style(depth: .truecolor, hasUnicode: true)
        let first = style.encode(lines[2])
        #expect(first.hasPrefix("\u{1B}[38;5;16;48;5;231m") && first.hasSuffix("\u{1B}[0m"))
        #expect(first.contains("█▀▀▀▀▀█"))
        #expect(style.encode(lines[0]).filter { $0 == " " }.count == 29)
    }

    @Test(arguments: [(true, "█"), (false, "#")])
    func `draws only the light modules if the terminal has no colors`(hasUnicode: Bool, light: Character) {
        let layout = Layout(width: 80, hasUnicode: hasUnicode, hasMargins: false)
        let style = Style(depth: .plain, hasUnicode: hasUnicode)
        let lines = QRCodeView("framefast").lines(layout).map(style.encode)
        #expect(lines[0].allSatisfy { $0 == light } && lines[0].count == (hasUnicode ? 29 : 58))
        #expect(lines.allSatisfy { $0.first == light && $0.last == light })
    }

    @Test func `omits a code that does not fit, and keeps its text`() {
        let view = QRCodeView("framefast")
        #expect(view.lines(Layout(width: 28, hasMargins: false)).isEmpty)
        #expect(view.lines(Layout(width: 57, hasUnicode: false, hasMargins: false)).isEmpty)
        #expect(!view.lines(Layout(width: 29, hasMargins: false)).isEmpty)
        #expect(view.plain() == ["framefast"])
    }

    private static let short = [
        "#######...###.#######",
        "#.....#..#..#.#.....#",
        "#.###.#.#####.#.###.#",
        "#.###.#.###...#.###.#",
        "#.###.#.#.#.#.#.###.#",
        "#.....#.####..#.....#",
        "#######.#.#.#.#######",
        "........#.#..........",
        "#.#####..###..#####..",
        "#...##.###.##...#.###",
        "#.#.#######.###....#.",
        "#.#..#.#..####...##.#",
        "#..#..#...#.####...#.",
        "........##..##.##.#.#",
        "#######....#.....###.",
        "#.....#.###....#####.",
        "#.###.#.#..#........#",
        "#.###.#.##########...",
        "#.###.#.#.#.#.#..##..",
        "#.....#..#.####..##..",
        "#######.#...#......#.",
    ]

    private static let address = [
        "#######..#..##.#...#..#######",
        "#.....#..#.#####....#.#.....#",
        "#.###.#.###..#.#..#...#.###.#",
        "#.###.#.#..#..#######.#.###.#",
        "#.###.#.###.#..###.#..#.###.#",
        "#.....#.##..#..#..#...#.....#",
        "#######.#.#.#.#.#.#.#.#######",
        "........#.##..#...##.........",
        "#.#####..##....######.#####..",
        "..##.#.....####....#..#.#...#",
        ".##..##.###..###..#..#.......",
        "#....#..##...#....#....#.#.#.",
        ".##..##..#.##.#####.##...##..",
        "..#.##.#...##..#####..#.#...#",
        "####..######...#.#.......##..",
        "..#.......#...###..#.##.#..#.",
        "#..##.###..#...####.##.#.##..",
        "#.#....#..#####...##..#.#.#.#",
        "#.##..#......######..####.#..",
        "#.##....##...#.##..###.....#.",
        "#..#####....#.#....######.###",
        "........##.......##.#...#####",
        "#######...###..######.#.###..",
        "#.....#.#####.###...#...#..#.",
        "#.###.#.#..##....##.#####.#..",
        "#.###.#.####..###..#.#.#.####",
        "#.###.#.#...######...##.####.",
        "#.....#..###.#.#...##.###..#.",
        "#######.###.#..##....##.###..",
    ]
}
