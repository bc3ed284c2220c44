import TestRig
import Testing

/// What the screens are made of: tokens, and one place for each decision.
@Suite(.blocking) struct DesignTests {
    /// Ways to write a distance by hand, and what to use.
    private static var distances: [Regex<Substring>] {
        [
            #/Span\("\s/#, #/Span\("[^"]*\s"/#, #/"\s{2,}"/#, #/\.indented\(\d/#, #/repeating: " "/#,
        ]
    }

    /// Who may: what the tokens themselves are made of.
    private static let primitives = ["Sources/CLI/TerminalUI/Text/Cells.swift"]

    @Test func `a distance on the screen is a token of the design, never spaces by hand`() throws {
        let files = try SourceFile.all(under: "Sources/CLI")
        #expect(files.count > 80)
        for file in files where !Self.primitives.contains(file.path) {
            for (number, line) in file.lines.enumerated() {
                let isByHand = Self.distances.contains { line.contains($0) }
                #expect(!isByHand, "\(file.path):\(number + 1) writes spaces: use Spacing")
            }
        }
        // The rule finds what it is about.
        let own = try #require(files.first { Self.primitives.contains($0.path) })
        #expect(own.lines.contains { $0.contains(Self.distances[4]) })
    }

    /// A format that is compared somewhere is one that a new format is not asked about there.
    @Test func `what depends on the output format is decided where every format is named`() throws {
        var deciders: Set<String> = []
        for file in try SourceFile.all(under: "Sources/CLI/FrameFastCLI") {
            for line in file.lines {
                #expect(!line.contains(#/format\s*[!=]=\s*\./#), "\(file.path): \(line)")
            }
            let text = file.lines.joined(separator: "\n")
            if text.contains(#/case \.human/#) { deciders.insert(file.path) }
        }
        #expect(deciders == ["Sources/CLI/FrameFastCLI/Program/OutputFormat.swift"])
    }
}
