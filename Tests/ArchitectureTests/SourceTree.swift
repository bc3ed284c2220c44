import Foundation
import Repository

/// The sources of this checkout.
struct SourceFile: Sendable {
    /// Path in the repository, for example `Sources/Ledger/Store/Schema/Schema.swift`.
    var path: String
    var lines: [String]

    /// Name of the wing: the folder under `Sources`.
    var wing: String { String(path.split(separator: "/")[1]) }
    /// Name of the room: the folder under the wing.
    var room: String { String(path.split(separator: "/")[2]) }

    /// Names of the imported modules. What is indented is another language, in a text.
    var imports: [String] {
        lines.lazy.filter { !$0.hasPrefix(" ") && $0.contains("import ") }.compactMap { line in
            let words = line.split(separator: " ")
            guard let index = words.firstIndex(of: "import"), index < words.count - 1,
                words[..<index].allSatisfy({
                    $0.hasPrefix("@")
                        || ["public", "internal", "package", "private", "fileprivate"].contains($0)
                })
            else { return nil }
            // `import struct Foundation.Date` names a kind first.
            let kinds: Set<Substring> = [
                "struct", "class", "enum", "protocol", "func", "typealias", "let", "var",
            ]
            let name = kinds.contains(words[index + 1]) ? words[index + 2] : words[index + 1]
            return String(name.split(separator: ".")[0])
        }
    }

    static func all(under folder: String) throws -> [SourceFile] {
        try FileManager.default.subpathsOfDirectory(atPath: Repository.file(folder).path)
            .filter { $0.hasSuffix(".swift") }.sorted()
            .map { path in
                let text = try String(contentsOf: Repository.file("\(folder)/\(path)"), encoding: .utf8)
                return SourceFile(path: "\(folder)/\(path)", lines: text.components(separatedBy: "\n"))
            }
    }
}
