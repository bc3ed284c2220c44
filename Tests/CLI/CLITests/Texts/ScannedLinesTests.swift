import FrameFastAPI
import Testing

@testable import FrameFastCLI

@Suite struct ScannedLinesTests {
    private func scans(_ pieces: [String]) -> [ScannedLines.Scan] {
        var lines = ScannedLines()
        return pieces.flatMap { lines.take($0.utf8) } + lines.end()
    }

    @Test(arguments: [
        (["4711\n"], ["4711"]), (["4711\r\n4712\r\n"], ["4711", "4712"]),
        (["47", "11\r", "\n4712"], ["4711", "4712"]),
        (["\n \n\r\n"], []), ([""], []), (["Ä 1\n"], ["Ä 1"]),
    ])
    func `a scanner's codes are lines, however it ends them`(pieces: [String], codes: [String]) {
        #expect(scans(pieces) == codes.map(ScannedLines.Scan.code))
    }

    @Test func `a line without an end, and what is no text, are no codes`() {
        let endless = String(repeating: "a", count: ScannedLines.lineBytesMax + 1)
        #expect(scans([endless, endless, "\n4711\n"]) == [.tooLong, .code("4711")])
        var lines = ScannedLines()
        #expect(lines.take([0xFF, 0x0A]) == [.notText])
        let longest = String(repeating: "👍", count: FieldName.textLengthMax)
        #expect(scans([longest + "\n"]) == [.code(longest)])
    }
}
