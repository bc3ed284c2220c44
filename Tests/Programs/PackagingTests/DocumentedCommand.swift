import Foundation
import SurfaceTestSupport
import Testing

/// A line of a document that a person is told to type.
struct DocumentedCommand: Hashable, CustomTestStringConvertible {
    var document: String
    /// Line in the document, from 1.
    var line: Int
    /// What is typed, without the comment behind it.
    var text: String

    var testDescription: String { "\(document):\(line): \(text)" }

    /// Whether a line of a shell script runs it: alone, or with more behind it that is not its own argument.
    func isRun(by line: Substring) -> Bool {
        guard let found = line.range(of: text) else { return false }
        let (before, after) = (line[..<found.lowerBound], line[found.upperBound...])
        let isBegun = before.isEmpty || before.hasSuffix(" ")
        return isBegun && (after.isEmpty || [" |", " &", " >", " 2>"].contains { after.hasPrefix($0) })
    }

    /// The commands of a document: the lines of blocks that are marked `sh`, and those behind `$` in `console` blocks.
    static func all(in document: String) throws -> [DocumentedCommand] {
        var commands: [DocumentedCommand] = []
        var language: Substring?
        for (index, line) in try DocumentFile(document).text().components(separatedBy: "\n").enumerated() {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if trimmed.hasPrefix("```") {
                language = language == nil ? trimmed.dropFirst(3) : nil
                continue
            }
            let typed: Substring? =
                switch language {
                case "sh", "bash": trimmed[...]
                case "console": trimmed.hasPrefix("$ ") ? trimmed.dropFirst(2) : nil
                default: nil
                }
            guard let typed else { continue }
            let text = String(typed.firstMatch(of: #/\s+#\s/#).map { typed[..<$0.range.lowerBound] } ?? typed)
            guard !text.isEmpty, !text.hasPrefix("#") else { continue }
            commands.append(DocumentedCommand(document: document, line: index + 1, text: text))
        }
        return commands
    }
}
