import Foundation
import Repository

/// A text in a completion script: the text of an option or of a verb.
struct CompletionText {
    /// The command that has the option or the verb, for example `framefast queue`.
    var command: String
    var text: String

    /// The text of the argument parser's own verb `help`, which the command reference omits.
    private static let ofHelpVerb = "Show subcommand help information."

    /// Returns the texts in a script for fish.
    static func all(inFish script: String) -> [CompletionText] {
        script.split(separator: "\n").compactMap { line in
            guard line.hasPrefix("complete "),
                let match = line.firstMatch(of: #/"([^"]*)".*? -d '((?:[^'\\]|\\.)*)'/#)
            else { return nil }
            return CompletionText(command: String(match.output.1), text: unescaped(match.output.2))
        }.filter { $0.text != ofHelpVerb }
    }

    /// Returns the texts in a script for zsh, which has a function for each command.
    static func all(inZsh script: String) -> [CompletionText] {
        var command = ""
        var found: [CompletionText] = []
        for line in script.split(separator: "\n") {
            if let match = line.wholeMatch(of: #/_(framefast[^(]*)\(\) \{/#) {
                command = String(match.output.1.replacing("_", with: " "))
            } else if let match = line.firstMatch(
                of: #/^ *'(?:\*|\([^)]*\))?(?:'\{[^}]*\}')?[-\w]*\[((?:[^\]\\]|\\.)*)\]/#)
                ?? line.firstMatch(of: #/^ *'[-\w]+:(.*)'$/#)
            {
                let text = match.output.1.replacing("'\\''", with: "'")
                found.append(CompletionText(command: command, text: unescaped(text)))
            }
        }
        return found.filter { $0.text != ofHelpVerb }
    }

    private static func unescaped(_ text: some StringProtocol) -> String {
        String(text).replacing(#/\\(.)/#) { String($0.output.1) }
    }
}

/// The help of a command in `docs/command-reference.md`, which a test compares with the output of `--help`.
struct CommandHelpText {
    /// The help without line breaks and indents.
    var text: String
    /// The number of options and verbs.
    var rows: Int

    /// Returns the help of each command, by its name.
    static func all() throws -> [String: CommandHelpText] {
        let reference = try String(
            contentsOf: Repository.file("docs/command-reference.md"), encoding: .utf8)
        var found: [String: CommandHelpText] = [:]
        for section in reference.components(separatedBy: "\n## `").dropFirst() {
            let parts = section.split(separator: "`", maxSplits: 1)
            found[String(parts[0])] = CommandHelpText(
                text: parts[1].split { $0.isWhitespace }.joined(separator: " "), rows: rows(in: parts[1]))
        }
        return found
    }

    private static func rows(in help: Substring) -> Int {
        var isList = false
        var count = 0
        for line in help.split(separator: "\n", omittingEmptySubsequences: false) {
            if line == "OPTIONS:" || line == "SUBCOMMANDS:" {
                isList = true
            } else if line.isEmpty {
                isList = false
            }
            if isList, line.hasPrefix("  "), !line.hasPrefix("   ") { count += 1 }
        }
        return count
    }
}
