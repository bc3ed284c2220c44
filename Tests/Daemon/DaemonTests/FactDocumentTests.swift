import Foundation
import FrameFastModel
import SurfaceTestSupport
import Testing

@Suite struct FactDocumentTests {
    private static let begin = "<!-- facts: written by a test, see CONTRIBUTING.md -->\n"
    private static let end = "<!-- end of facts -->"

    @Test func `the hooks guide lists every fact with its meaning`() throws {
        let file = DocumentFile("docs/hooks.md")
        let text = try file.text()
        let head = try #require(text.range(of: Self.begin))
        let tail = try #require(text.range(of: Self.end))
        let rows = FactName.allCases.map { "| `\($0.rawValue)` | \($0.meaning) |\n" }
        let table = "\n| fact | is |\n|---|---|\n" + rows.joined() + "\n"
        let generated = text[..<head.upperBound] + table + text[tail.lowerBound...]
        #expect(try file.text(writing: String(generated)) == generated)
    }
}
