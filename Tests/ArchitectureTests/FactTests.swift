import TestRig
import Testing

/// What programs, addresses and headers are told has its names in one file.
@Suite(.blocking) struct FactTests {
    static let list = "Sources/Model/FrameFastModel/Captures/FactName.swift"

    @Test func `the names of facts stand in one file`() throws {
        let files = try SourceFile.all(under: "Sources")
        let declaration = try Regex(#"case \w+ = "([A-Z0-9_]+)""#)
        let names = try #require(files.first { $0.path == Self.list }).lines.compactMap {
            $0.firstMatch(of: declaration)?.output[1].substring.map(String.init)
        }
        #expect(names.count > 20)
        for file in files where file.path != Self.list && file.wing != "Simulator" {
            for line in file.lines where names.contains(where: { line.contains("\"\($0)\"") }) {
                Issue.record("\(file.path): \(line): use FactName")
            }
        }
    }

    /// The values that a photo grows through, what leaves the service of it, and what a leftover at a destination keeps,
    /// which outlives the photo's record.
    static let growing: Set<String> = [
        "FetchResult", "Arrival", "CaptureRecord", "UploadItem", "UploadLeftover", "CaptureReply",
    ]

    @Test func `a photo's bytes and hash are listed in no other value than those that it grows through`()
        throws
    {
        let type = try Regex(#"^(?:public )?(?:struct|class|actor) (\w+)"#)
        let hash = try Regex(#"^    (?:@OrNull )?(?:public )?(?:var|let) sha256: String"#)
        var found: Set<String> = []
        for file in try SourceFile.all(under: "Sources") where file.wing != "Simulator" {
            var name = ""
            for line in file.lines {
                if let match = line.firstMatch(of: type) { name = String(match.output[1].substring ?? "") }
                if line.contains(hash) { found.insert(name) }
            }
        }
        #expect(found == Self.growing)
    }
}
