import TestRig
import Testing

/// Tests that screens use design tokens and that each design decision is made in one file.
@Suite(.blocking) struct DesignTests {
    /// A pattern for literal distances.
    private static let distances = #"Span\("\s|Span\("[^"]*\s"|"\s{2,}"|\.indented\([0-9]|repeating: " ""#

    /// The files that may contain literal distances, because these files define the tokens.
    private static let primitives = ["Sources/CLI/TerminalUI/Text/Cells.swift"]

    @Test func `screens use distance tokens instead of literal spaces`() throws {
        let files = try SourceFile.all(under: "Sources/CLI")
        #expect(files.count > 80)
        let distances = try LinePattern(Self.distances)
        for file in files where !Self.primitives.contains(file.path) {
            for (number, _) in file.lines(matching: distances) {
                Issue.record("\(file.path):\(number) writes spaces: use Spacing")
            }
        }
        // The pattern must match the file that defines the tokens.
        let own = try #require(files.first { Self.primitives.contains($0.path) })
        #expect(own.lines(matching: distances).contains { $0.line.contains("repeating: \" \"") })
    }

    /// A comparison with one format would silently ignore a new format. A `switch` lists every format.
    @Test func `only one file of the CLI chooses by output format`() throws {
        var decidingFiles: Set<String> = []
        let comparison = try LinePattern(#"format\s*[!=]=\s*\."#)
        let decision = try LinePattern(#"case \.human"#)
        for file in try SourceFile.all(under: "Sources/CLI/FrameFastCLI") {
            for (_, line) in file.lines(matching: comparison) { Issue.record("\(file.path): \(line)") }
            if decision.matches(file.text) { decidingFiles.insert(file.path) }
        }
        #expect(decidingFiles == ["Sources/CLI/FrameFastCLI/Program/OutputFormat.swift"])
    }
}
