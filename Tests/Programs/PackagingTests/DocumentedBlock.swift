import Foundation
import SurfaceTestSupport
import Testing

/// A fenced block of a document.
struct DocumentedBlock: CustomTestStringConvertible {
    var document: String
    /// The word after the fence, for example `console`.
    var language: String
    /// The line of the opening fence, from 1.
    var line: Int
    /// The lines between the fences, without indentation.
    var lines: [String] = []

    var testDescription: String { "\(document):\(line)" }

    /// Returns the blocks of a document, in order.
    static func all(in document: String) throws -> [DocumentedBlock] {
        let text = try DocumentFile(document).text()
        var blocks: [DocumentedBlock] = []
        var isOpen = false
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if trimmed.hasPrefix("```") {
                if !isOpen {
                    let language = String(trimmed.dropFirst(3))
                    blocks.append(DocumentedBlock(document: document, language: language, line: index + 1))
                }
                isOpen.toggle()
            } else if isOpen {
                blocks[blocks.count - 1].lines.append(trimmed)
            }
        }
        return blocks
    }

    /// The commands in the block: all lines of `sh` and `bash`, and the lines after `$` in `console`.
    var commands: [DocumentedCommand] {
        lines.enumerated().compactMap { index, text in
            let typed: Substring? =
                switch language {
                case "sh", "bash": text[...]
                case "console": text.hasPrefix("$ ") ? text.dropFirst(2) : nil
                default: nil
                }
            guard let typed else { return nil }
            let command = String(
                typed.firstMatch(of: #/\s+#\s/#).map { typed[..<$0.range.lowerBound] } ?? typed)
            guard !command.isEmpty, !command.hasPrefix("#") else { return nil }
            return DocumentedCommand(document: document, line: line + 1 + index, text: command)
        }
    }
}
