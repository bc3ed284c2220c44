import Foundation
import Testing

/// A command line in a document for the reader to type.
struct DocumentedCommand: Hashable, CustomTestStringConvertible {
    var document: String
    /// The line in the document, from 1.
    var line: Int
    /// The command, without the comment after it.
    var text: String

    var testDescription: String { "\(document):\(line): \(text)" }

    /// Whether a line of a shell script runs the command, alone or followed by a pipe or redirection.
    func isRun(by line: Substring) -> Bool {
        guard let found = line.range(of: text) else { return false }
        let (before, after) = (line[..<found.lowerBound], line[found.upperBound...])
        let isBegun = before.isEmpty || before.hasSuffix(" ")
        return isBegun && (after.isEmpty || [" |", " &", " >", " 2>"].contains { after.hasPrefix($0) })
    }

    /// Returns the commands of a document, in order.
    static func all(in document: String) throws -> [DocumentedCommand] {
        try DocumentedBlock.all(in: document).flatMap(\.commands)
    }
}
