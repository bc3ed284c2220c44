import Foundation
import Repository
import Synchronization

/// A Swift source file of this checkout.
struct SourceFile: Sendable {
    /// The path in the repository, for example `Sources/Ledger/Store/Schema/Schema.swift`.
    var path: String
    var text: String
    var lines: [String]

    /// The file name, for example `Schema.swift`.
    var name: String { String(path.split(separator: "/").last ?? "") }
    /// The layer: the folder under `Sources`.
    var layer: String { String(path.split(separator: "/")[1]) }
    /// The module: the folder under the layer.
    var module: String { String(path.split(separator: "/")[2]) }

    /// Returns the names of the imported modules.
    func imports() throws -> [String] {
        lines(matching: try LinePattern(#"\bimport "#)).compactMap { _, line in
            let words = line.split(separator: " ")
            guard let index = words.firstIndex(of: "import"), index < words.count - 1,
                words[..<index].allSatisfy({
                    $0.hasPrefix("@")
                        || ["public", "internal", "package", "private", "fileprivate"].contains($0)
                })
            else { return nil }
            // In `import struct Foundation.Date`, a kind precedes the name.
            let kinds: Set<Substring> = [
                "struct", "class", "enum", "protocol", "func", "typealias", "let", "var",
            ]
            let name = kinds.contains(words[index + 1]) ? words[index + 2] : words[index + 1]
            return String(name.split(separator: ".")[0])
        }
    }

    /// Returns the matching lines and their numbers, counted from 1.
    func lines(matching pattern: LinePattern) -> [(number: Int, line: String)] {
        // Most files have no match. One search of the whole text skips these files quickly.
        guard pattern.matches(text) else { return [] }
        return lines.enumerated().filter { pattern.matches($1) }.map { ($0 + 1, $1) }
    }

    /// Returns the matching lines that are not comments, and their numbers.
    func code(matching pattern: LinePattern) -> [(number: Int, line: String)] {
        lines(matching: pattern).filter { !$0.line.drop { $0 == " " }.hasPrefix("//") }
    }

    /// Returns the Swift files below a folder. Each folder is read once.
    static func all(under folder: String) throws -> [SourceFile] {
        try known.withLock { known in
            if let files = known[folder] { return files }
            let files = try read(folder)
            known[folder] = files
            return files
        }
    }

    private static let known = Mutex<[String: [SourceFile]]>([:])

    private static func read(_ folder: String) throws -> [SourceFile] {
        try FileManager.default.subpathsOfDirectory(atPath: Repository.file(folder).path)
            .filter { $0.hasSuffix(".swift") }.sorted()
            .map { path in
                let text = try String(contentsOf: Repository.file("\(folder)/\(path)"), encoding: .utf8)
                return SourceFile(
                    path: "\(folder)/\(path)", text: text, lines: text.components(separatedBy: "\n"))
            }
    }
}
