import TerminalUI
import Testing

@testable import FrameFastCLI

@Suite struct ProgressLineTests {
    @Test(arguments: [
        ("", 40, ""), ("3 of 10", 40, "3 of 10"), ("3 of 10", 8, "3 of 10"), ("3 of 10", 7, "3 of …"),
        ("写真 3", 6, "写真…"), ("a\u{1B}b", 40, "a\\u{1b}b"), ("3 of 10", 1, ""),
    ])
    func `fits into one line of the terminal`(text: String, columns: Int, shown: String) {
        let line = Output.progressLine(text, columns: columns, "…")
        #expect(line == "\r\u{1B}[K" + shown)
        #expect(Cells.width(shown) < columns)
    }
}
