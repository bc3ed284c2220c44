import Foundation
import Repository
import TestRig
import Testing

/// Tests that all texts use decimal byte units (kB, MB, GB and TB), as cards, disks and cameras do.
@Suite(.blocking) struct ByteUnitTests {
    private static let binary = "[KMGT]iB"

    /// The files that may contain a binary unit, with the reason.
    private static let places = [
        "Sources/Programs/framefast-simcam/PhotoOptions.swift": "the size option accepts binary units"
    ]

    @Test func `program texts use no binary byte units`() throws {
        let pattern = try LinePattern(Self.binary)
        for file in try SourceFile.all(under: "Sources") where Self.places[file.path] == nil {
            for (number, line) in file.code(matching: pattern) {
                Issue.record("\(file.path):\(number): write kB, MB, GB or TB: \(line)")
            }
        }
    }

    @Test func `user documents use no binary byte units`() throws {
        let pattern = try LinePattern(Self.binary)
        let docs = try FileManager.default.subpathsOfDirectory(atPath: Repository.file("docs").path)
            .filter { name in [".md", ".yaml"].contains { name.hasSuffix($0) } }
            .map { "docs/\($0)" }
        #expect(docs.count > 10)
        let paths = ["README.md", "CHANGELOG.md", "config/framefast.toml"] + docs
        for path in paths where Self.places[path] == nil {
            let text = try String(contentsOf: Repository.file(path), encoding: .utf8)
            for (number, line) in text.components(separatedBy: "\n").enumerated() {
                #expect(!pattern.matches(line), "\(path):\(number + 1): write kB, MB, GB or TB")
            }
        }
    }
}
