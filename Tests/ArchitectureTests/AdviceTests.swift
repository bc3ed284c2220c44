import Foundation
import Repository
import TestRig
import Testing

/// Tests that the quoted commands in sources and documents use existing verbs and options.
@Suite(.blocking) struct AdviceTests {
    /// Returns the reference of each command, by its verbs. A test of the command line keeps the reference up
    /// to date.
    private static func reference() throws -> [String: String] {
        let text = try String(contentsOf: Repository.file("docs/command-reference.md"), encoding: .utf8)
        var sections: [String: String] = [:]
        for section in text.components(separatedBy: "\n## `framefast").dropFirst() {
            guard let end = section.firstIndex(of: "`") else { continue }
            let verbs = section[..<end].split(separator: " ").joined(separator: " ")
            sections[verbs] = String(section[end...])
        }
        return sections
    }

    /// Returns the commands in a line: the text after `framefast` up to the closing quote.
    private static func commands(in line: String) -> [String] {
        var found: [String] = []
        for quote in ["`", "'"] {
            for start in ["\(quote)framefast ", "\(quote)sudo framefast "] {
                for rest in line.components(separatedBy: start).dropFirst() {
                    let parts = rest.components(separatedBy: quote)
                    if parts.count > 1, let command = parts.first { found.append(command) }
                }
            }
        }
        return found
    }

    /// Returns the error in a command, or `nil` if its verbs and options exist.
    private static func fault(of command: String, _ reference: [String: String]) -> String? {
        let words = command.split(separator: " ").map(String.init)
        var rest = words.drop { $0.hasPrefix("-") }
        var path = ""
        while let word = rest.first {
            let longer = path.isEmpty ? word : "\(path) \(word)"
            guard reference[longer] != nil else { break }
            path = longer
            rest = rest.dropFirst()
        }
        guard !path.isEmpty else {
            let verb = rest.first ?? ""
            // `help` belongs to the argument parser. The reference omits it.
            return verb == "help" ? nil : "there is no verb '\(verb)'"
        }
        // A quoted command may omit the subverb. The options of all subverbs are then valid.
        let texts = reference.filter { $0.key == path || $0.key.hasPrefix(path + " ") }.map(\.value)
        for option in words where option.hasPrefix("--") {
            let name = option.prefix { $0 == "-" || $0.isLetter }
            // The reference shows an option before its value, in brackets, or before its other name.
            let forms = ["\(name) ", "[\(name)]", "\(name),"]
            guard !texts.contains(where: { text in forms.contains { text.contains($0) } }) else { continue }
            return "'\(path)' has no option \(name)"
        }
        return nil
    }

    @Test func `every quoted command exists with its verbs and options`() throws {
        let reference = try Self.reference()
        #expect(reference.count > 40)
        var count = 0
        for path in try Self.paths() {
            let text = try String(contentsOf: Repository.file(path), encoding: .utf8)
            guard text.contains("framefast ") else { continue }
            for (number, line) in text.components(separatedBy: "\n").enumerated()
            where line.contains("framefast ") {
                for command in Self.commands(in: line) {
                    count += 1
                    if let fault = Self.fault(of: command, reference) {
                        Issue.record("\(path):\(number + 1): 'framefast \(command)': \(fault)")
                    }
                }
            }
        }
        #expect(count > 150)
    }

    @Test(
        arguments: [
            ("session list", nil), ("--json destinations", nil), ("preset save NAME CAMERA", nil),
            ("help exit-codes", nil), ("queue drop --to NAME", nil),
            ("queue drop --destination NAME", nil),
            ("queue drop --dest NAME", "'queue drop' has no option --dest"),
            ("destination list", "there is no verb 'destination'"),
            ("preset save NAME --camera X", "'preset save' has no option --camera"),
        ] as [(String, String?)])
    func `detects a verb or an option that does not exist`(command: String, fault: String?) throws {
        #expect(try Self.fault(of: command, Self.reference()) == fault)
    }

    /// Returns the paths of the Swift sources, the JSON files with the makers' advice, and the documents.
    private static func paths() throws -> [String] {
        let sources = try SourceFile.all(under: "Sources").map(\.path)
        let others = try ["Sources", "docs"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: Repository.file(folder).path)
                .filter { name in [".md", ".json"].contains { name.hasSuffix($0) } }
                .map { "\(folder)/\($0)" }
        }
        return ["README.md", "CHANGELOG.md"] + sources + others
    }
}
