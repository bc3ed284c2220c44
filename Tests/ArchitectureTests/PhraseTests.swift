import Foundation
import Repository
import TestRig
import Testing

/// Plain English, as a photographer or an engineer would say it, in everything that people read.
@Suite(.blocking) struct PhraseTests {
    /// Phrases that nobody says, and what to write in their place.
    static let phrases: [(phrase: String, better: String)] = [
        ("\\bshall\\b", "a verb"), ("\\btold of\\b", "announced, reported, listed"),
        ("nobody's business", "what is not done with it"), ("\\bwhoever\\b", "who it is"),
        ("\\bto whom\\b|\\bwhom a\\b", "who it is"), ("what is not said", "the default"),
        ("\\bsomebody\\b", "who it is, or attention"),
        ("\\bto be had\\b", "available"), ("\\bput right\\b", "corrected, restored"),
        ("\\bleft alone\\b|\\bleave alone\\b", "ignored"),
        ("takes what it takes", "the limit, or that there is none"),
        ("\\bthat there is now\\b", "current"), ("so many of (a|the)", "how many"),
        ("\\bgoes on by itself\\b", "continues automatically"),
        ("is(n't| not)? to be known", "what it is"), ("takes .{1,20} for yes", "accepts"),
        ("has to be said", "required"),
    ]

    /// Documents, and the references that programs generate.
    private static var documents: [String] {
        let fixed = [
            "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md",
            "config/framefast.toml",
        ]
        let folders = ["docs", "Sources"].flatMap { folder in
            (try? FileManager.default.subpathsOfDirectory(atPath: Repository.file(folder).path))?.map {
                "\(folder)/\($0)"
            } ?? []
        }
        let suffixes = [".md", ".1", ".5", ".8", ".yaml"]
        return fixed + folders.filter { path in suffixes.contains { path.hasSuffix($0) } }
    }

    @Test(arguments: phrases.map(\.phrase))
    func `no document and no line of the command line says it stiffly`(phrase: String) throws {
        let stiff = try LinePattern(phrase, ignoresCase: true)
        let better = Self.phrases.first { $0.phrase == phrase }?.better ?? ""
        let documents = Self.documents
        #expect(documents.count > 20)
        for path in documents {
            let text = try String(contentsOf: Repository.file(path), encoding: .utf8)
            guard stiff.matches(text) else { continue }
            for (number, line) in text.components(separatedBy: "\n").enumerated() {
                #expect(!stiff.matches(line), "\(path):\(number + 1): write \(better)")
            }
        }
        for file in try SourceFile.all(under: "Sources/CLI") {
            for (number, _) in file.lines(matching: stiff) {
                Issue.record("\(file.path):\(number): write \(better)")
            }
        }
    }
}
