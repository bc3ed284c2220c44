import Foundation
import Repository
import TestRig
import Testing

/// Tests that printed texts contain only ASCII quotes. A C locale and a serial console cannot show curly
/// quotes.
@Suite(.blocking) struct QuoteTests {
    @Test func `no text of the programs has curly quotes`() throws {
        let pattern = try LinePattern("“|”|‘|’")
        // This file parses curly quotes in the output of other programs.
        let reads = "Sources/Upload/UploadEngine/Destination/FailureSentence.swift"
        for file in try SourceFile.all(under: "Sources") where file.path != reads {
            for (number, line) in file.code(matching: pattern) {
                Issue.record("\(file.path):\(number): write ' or \": \(line)")
            }
        }
        let data = try FileManager.default.subpathsOfDirectory(atPath: Repository.file("Sources").path)
            .filter { $0.hasSuffix(".json") }
        #expect(data.count > 5)
        for path in data {
            let text = try String(contentsOf: Repository.file("Sources/\(path)"), encoding: .utf8)
            #expect(!pattern.matches(text), "Sources/\(path) has curly quotes")
        }
    }
}
