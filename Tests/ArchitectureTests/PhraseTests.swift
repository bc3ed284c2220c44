import Foundation
import Repository
import TestRig
import Testing

/// Tests that comments, test names and documents are in plain English.
@Suite(.blocking) struct PhraseTests {
    /// Banned phrases and their replacements.
    static let phrases: [(phrase: String, better: String)] = [
        ("\\bshall\\b", "a verb"), ("\\bupon\\b", "on, after"),
        ("\\btold of\\b", "announced, reported, listed"),
        ("\\b(is|are|was|were|be) told\\b", "receives, is notified, is called with"),
        ("nobody's business", "what is not done with it"),
        ("\\b(whoever|somebody|nobody|anybody)\\b", "the actor: the worker, the ledger, the user"),
        ("\\bto whom\\b|\\bwhom a\\b", "who it is"), ("what is not said", "the default"),
        ("\\b(is|are|was|were) none\\b", "what it is, or that it does not exist"),
        ("\\banew\\b", "again"), ("\\blet(s|ting)? go\\b", "deletes, releases, stops"),
        ("\\bwhat (became|becomes|came|comes) of\\b", "the result of"),
        ("\\b(is|are|was|were) to be\\b", "must be, will be"), ("\\bto be had\\b", "available"),
        ("\\b(go|goes|going) on\\b", "continues"), ("\\bof (its|their) own\\b", "its own, separate"),
        ("\\bfor good\\b", "permanently"), ("\\bmeanwhile[.,;]", "at the same time, until then"),
        ("\\bbeside\\b", "next to, at the same time as"),
        ("\\bwhose end\\b", "two sentences"),
        ("\\bput right\\b", "corrected, restored"), ("\\bleft alone\\b|\\bleave alone\\b", "ignored"),
        ("takes what it takes", "the limit, or that there is none"),
        ("\\bthat there is now\\b", "current"), ("so many of (a|the)", "how many"),
        ("is(n't| not)? to be known", "what it is"), ("takes .{1,20} for yes", "accepts"),
        ("has to be said", "required"), ("\\b(wing|wings)\\b", "layer"),
        ("[^n] as (it is|they are)\\b", "unchanged"), ("\\bstands? (in|on|for)\\b", "is, means"),
        (", so that\\b", "two sentences"), ("\\bevents? (that )?rings?\\b", "is signaled"),
    ]

    /// The name of a migration. The name can't change, because databases record it.
    private static let recordedName = "v9 names begun anew"

    /// Returns the comments and test names of a Swift file, with their line numbers.
    private static func prose(of file: SourceFile) throws -> [(number: Int, text: String)] {
        file.lines(matching: try LinePattern("//|func `|@Test\\(\"|@Suite\\(\"")).compactMap { number, line in
            guard let start = line.range(of: "//") ?? line.range(of: "func `") ?? line.range(of: "@") else {
                return nil
            }
            return (number, String(line[start.lowerBound...]))
        }
    }

    /// Returns the Swift files of the repository, except this file.
    private static func swiftFiles() throws -> [SourceFile] {
        try ["Sources", "Tests", "Benchmarks", "Tools"].flatMap { try SourceFile.all(under: $0) }
            .filter { !$0.path.hasSuffix("/PhraseTests.swift") }
    }

    /// A document, a generated reference or a script.
    private struct Document: Sendable {
        var path: String
        var text: String
    }

    /// All documents. The test of each phrase searches all documents, so each document is read once.
    private static let documents = Result { try readDocuments() }

    private static func readDocuments() throws -> [Document] {
        let fixed = [
            "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md",
            "config/framefast.toml",
        ]
        let suffixes = [".md", ".yaml", ".py", ".sh"]
        let found = ["docs", "Sources", "Tests", "Benchmarks", "packaging", "scripts"].flatMap { folder in
            (FileManager.default.enumerator(atPath: Repository.file(folder).path)?.allObjects ?? [])
                .compactMap { $0 as? String }.map { "\(folder)/\($0)" }
                .filter { path in
                    suffixes.contains { path.hasSuffix($0) }
                        || (folder == "scripts" && !path.dropFirst(8).contains("."))
                }
        }
        return try (fixed + found).filter { $0 != "scripts/test-servers.lock" }.map { path in
            let text = try String(contentsOf: Repository.file(path), encoding: .utf8)
            return Document(
                path: path, text: path.hasSuffix(".py") ? text.replacing(" is None", with: " == None") : text)
        }
    }

    @Test(arguments: phrases.map(\.phrase))
    func `comments, test names and documents contain no banned phrase`(phrase: String) throws {
        let banned = try LinePattern(phrase, ignoresCase: true)
        let better = Self.phrases.first { $0.phrase == phrase }?.better ?? ""
        for file in try Self.swiftFiles() where banned.matches(file.text) {
            for (number, text) in try Self.prose(of: file) where banned.matches(text) {
                Issue.record("\(file.path):\(number): write \(better)")
            }
        }
        // Also checks the texts that programs print.
        for file in try SourceFile.all(under: "Sources") {
            for (number, line) in file.code(matching: banned) where !line.contains(Self.recordedName) {
                Issue.record("\(file.path):\(number): write \(better)")
            }
        }
        let documents = try Self.documents.get()
        #expect(documents.count > 60)
        for document in documents where banned.matches(document.text) {
            let lines = document.text.components(separatedBy: "\n")
            for (number, line) in lines.enumerated() where banned.matches(line) {
                Issue.record("\(document.path):\(number + 1): write \(better)")
            }
        }
    }

    @Test func `doc comments start with a verb or a noun phrase`() throws {
        let opening = try LinePattern("^ */// (What|How|Who|Whose|Where|It|Its) ")
        for file in try Self.swiftFiles() {
            for (number, line) in file.lines(matching: opening) {
                // Checks only the first line of each comment.
                let before = number >= 2 ? file.lines[number - 2].drop { $0 == " " } : ""
                guard !before.hasPrefix("///") else { continue }
                Issue.record("\(file.path):\(number): \(line.drop { $0 == " " })")
            }
        }
    }

    @Test func `functions are verb phrases that name their object`() throws {
        let bare = try LinePattern(
            "func (take|tell|look|note|judge|heard|settle|begin|end|use|letGo|takeUp|putBack)\\b[(<]")
        for file in try Self.swiftFiles() {
            for (number, line) in file.code(matching: bare) {
                Issue.record("\(file.path):\(number): \(line.drop { $0 == " " })")
            }
        }
    }

    /// The formatter wraps code but does not wrap comments.
    @Test func `comments have at most as many columns as code`() throws {
        let columns = 110
        for file in try ["Sources", "Tests", "Benchmarks", "Tools"].flatMap({ try SourceFile.all(under: $0) })
        {
            for (index, line) in file.lines.enumerated()
            where line.utf8.count > columns && line.count > columns {
                guard line.drop(while: { $0 == " " }).hasPrefix("//") else { continue }
                Issue.record("\(file.path):\(index + 1): \(line.count) columns")
            }
        }
    }
}
