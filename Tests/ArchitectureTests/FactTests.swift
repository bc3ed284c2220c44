import TestRig
import Testing

/// Tests of the file that declares the names of facts, and of the types that contain a photo's hash.
@Suite(.blocking) struct FactTests {
    static let list = "Sources/Model/FrameFastModel/Captures/FactName.swift"

    @Test func `one file contains the names of facts`() throws {
        let files = try SourceFile.all(under: "Sources")
        let declaration = try LinePattern(#"case \w+ = "([A-Z0-9_]+)""#)
        let list = try #require(files.first { $0.path == Self.list })
        let names = declaration.texts(ofGroup: 1, in: list.text)
        #expect(names.count > 20)
        let name = try LinePattern("\"(\(names.joined(separator: "|")))\"")
        for file in files where file.path != Self.list && file.layer != "Simulator" {
            for (_, line) in file.lines(matching: name) {
                Issue.record("\(file.path): \(line): use FactName")
            }
        }
    }

    /// The types that may contain a photo's hash: the stages of a photo, the values that leave the
    /// service, the records of leftovers at a destination, and the requests and facts of previews.
    static let growing: Set<String> = [
        "FetchResult", "Arrival", "CaptureRecord", "UploadItem", "UploadLeftover", "CaptureReply",
        "PreviewPhoto", "PreviewRecord",
    ]

    @Test func `only the listed types contain the hash of a photo`()
        throws
    {
        let type = try LinePattern(#"^(public )?(struct|class|actor) (\w+)"#)
        let hash = try LinePattern(#"^    (@OrNull )?(public )?(var|let) sha256: String"#)
        var found: Set<String> = []
        for file in try SourceFile.all(under: "Sources") where file.layer != "Simulator" {
            guard hash.matches(file.text) else { continue }
            var name = ""
            for line in file.lines {
                name = type.texts(ofGroup: 3, in: line).first ?? name
                if hash.matches(line) { found.insert(name) }
            }
        }
        #expect(found == Self.growing)
    }
}
