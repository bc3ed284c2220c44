import Foundation
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

    /// The commands of a document, in order.
    static func all(in document: String) throws -> [DocumentedCommand] {
        try DocumentedBlock.all(in: document).flatMap(\.commands)
    }
}
