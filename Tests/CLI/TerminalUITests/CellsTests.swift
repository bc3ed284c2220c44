import Glibc
import Testing

@testable import TerminalUI

@Suite struct CellsTests {
    @Test(arguments: [
        ("IMG_0001.JPG", 12), ("写真", 4), ("ｶﾒﾗ", 3), ("ภาพ", 3), ("กำลัง", 4), ("e\u{301}", 1), ("한글", 4),
        ("한", 2), ("📷", 2), ("👨‍👩‍👧", 2), ("🇹🇭", 2), ("❤️", 2), ("❤", 1), ("👍🏽", 2), ("नमस्ते", 4), ("", 0),
        ("a\u{200B}b", 2),
    ])
    func `measures text in terminal cells`(text: String, cells: Int) {
        #expect(Cells.width(text) == cells)
    }

    @Test func `the width of a character matches wcwidth`() throws {
        setlocale(LC_CTYPE, "C.UTF-8")
        // Swift's Glibc module does not export wcwidth.
        let symbol = try #require(dlsym(dlopen(nil, RTLD_NOW), "wcwidth"))
        let wcwidth = unsafeBitCast(symbol, to: (@convention(c) (wchar_t) -> Int32).self)
        // Letters, marks, symbols and East Asian characters, as in the names of files and sessions.
        let ranges: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0xC0...0x24F, 0x300...0x36F, 0x391...0x3C9, 0x410...0x44F, 0x5D0...0x5EA,
            0xE01...0xE3A,
            0xE40...0xE5B, 0x2190...0x21FF, 0x2500...0x25FF, 0x2800...0x28FF, 0x3041...0x3096,
            0x30A1...0x30FA,
            0x4E00...0x4EFF, 0xAC00...0xACFF, 0xFF01...0xFF60, 0x1F600...0x1F64F,
        ]
        for value in ranges.joined() {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let known = wcwidth(wchar_t(value))
            guard known >= 0 else { continue }
            #expect(Cells.width(String(Character(scalar))) == Int(known), "U+\(String(value, radix: 16))")
        }
    }

    @Test(arguments: [
        ("IMG_0001.JPG", 12, "IMG_0001.JPG"), ("IMG_0001.JPG", 6, "IMG_0…"), ("写真写真", 5, "写真…"),
        ("写真写真", 6, "写真…"), ("abc", 0, ""), ("abc", 1, "…"), ("กำลังดี", 3, "กำ…"),
    ])
    func `cuts long text with an ellipsis`(text: String, cells: Int, cut: String) {
        #expect(Cells.cut(text, to: cells, "…") == cut)
        #expect(Cells.width(cut) <= max(cells, 0))
    }

    @Test(arguments: [
        ("20251121-140205-IMG_0001.CR3", 15, "2025112…001.CR3"), ("写真写真写真", 7, "写…真"),
        ("short", 5, "short"), ("abcdef", 2, "a…"),
    ])
    func `cuts file names in the middle`(text: String, cells: Int, cut: String) {
        #expect(Cells.cutMiddle(text, to: cells, "…") == cut)
    }

    @Test(arguments: [
        ("one two three", 7, ["one two", "three"]), ("abcdefgh", 3, ["abc", "def", "gh"]),
        ("写真写真", 3, ["写", "真", "写", "真"]), ("写", 1, ["写"]), ("", 4, []),
        ("at /srv/photos/2025-11-21.", 14, ["at", "/srv/photos/", "2025-11-21."]), ("/", 1, ["/"]),
        ("/photos/a", 5, ["/phot", "os/a"]),
        // A number keeps its percent sign.
        ("it is at 7 %.", 11, ["it is at", "7 %."]), ("%", 4, ["%"]),
    ])
    func `wraps text between words`(text: String, cells: Int, lines: [String]) {
        #expect(Cells.wrap(text, to: cells) == lines)
    }

    @Test(arguments: [
        (0, ["a", "b", "↓ 3 more lines below"]), (1, ["↑ 2 more lines above", "c", "↓ 2 more lines below"]),
        (2, ["↑ 3 more lines above", "d", "e"]), (9, ["↑ 3 more lines above", "d", "e"]),
        (-1, ["a", "b", "↓ 3 more lines below"]),
    ])
    func `scrolls lines that do not fit and counts the hidden lines`(offset: Int, shown: [String]) {
        let lines = ScrolledLines("abcde".map { Line(String($0)) }, height: 3)
        #expect(lines.offsetMax == 2)
        #expect(lines.shown(from: offset, Layout(width: 40)).map(\.text) == shown)
    }

    @Test func `does not scroll lines that fit`() {
        let lines = ScrolledLines([Line("a"), Line("b")], height: 2)
        #expect(lines.offsetMax == 0 && lines.shown(from: 5, Layout(width: 40)).map(\.text) == ["a", "b"])
    }

    @Test func `cuts the left side of a spread line first`() {
        let layout = Layout(width: 20)
        let line = Line.spread([Span("a long name of a camera")], [Span("Ready")], to: 20, layout)
        #expect(line.text == "a long name o… Ready")
        #expect(Line.spread([Span("a")], [Span("b")], to: 5, layout).text == "a   b")
        #expect(Line.spread([Span("abcdef")], [], to: 4, layout).text == "abc…")
    }
}
