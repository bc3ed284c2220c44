import Foundation
import Repository

/// The text of all Swift and JSON files in `Sources/`.
struct SourceText {
    /// The contents of all files, concatenated.
    let all: String

    /// Reads the sources.
    ///
    /// - Parameter joinsLiterals: Whether string literals that continue on the next line after a plus sign
    ///   become one literal. A test can then find a whole sentence.
    init(joinsLiterals: Bool = false) throws {
        let below = FileManager.default.enumerator(
            at: Repository.file("Sources"), includingPropertiesForKeys: nil)
        var all = ""
        while let file = below?.nextObject() as? URL {
            guard ["swift", "json"].contains(file.pathExtension) else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            all += joinsLiterals ? Self.joiningLiterals(text) : text
        }
        self.all = all
    }

    /// Returns whether the sources contain `words`, with quotation marks escaped.
    func hasLiteral(with words: String) -> Bool {
        // A comparison of bytes is much faster than `contains`, which compares characters.
        strstr(all, words.replacing("\"", with: "\\\"")) != nil
    }

    private static func joiningLiterals(_ text: String) -> String {
        var joined = ""
        for line in text.split(separator: "\n") {
            let code = line.drop { $0 == " " }
            if code.hasPrefix("+ \""), joined.hasSuffix("\"") {
                joined.removeLast()
                joined.append(contentsOf: code.dropFirst(3))
            } else {
                joined.append("\n")
                joined.append(contentsOf: code)
            }
        }
        return joined
    }
}
