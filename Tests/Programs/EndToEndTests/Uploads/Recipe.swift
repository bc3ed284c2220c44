import Foundation
import Repository
import TestRig
import Testing

/// The recipes of docs/uploads.md, by the names of their destinations.
enum Recipe: String, CaseIterable, CustomTestStringConvertible, Sendable {
    case web, offsite, nas, archive, r2, b2, minio, backup, synology, truenas, agency, cloud, diskstation
    case gallery, press, immich, clients, drive, printer

    var testDescription: String { rawValue }

    /// The missing programs that the recipe's local server needs, or `nil` if all are installed.
    var obstacle: String? {
        let programs: [URL] =
            switch self {
            case .web, .offsite, .nas, .printer: []
            case .backup, .synology, .truenas: [ServerPrograms.sshd]
            case .drive: [ServerPrograms.python, URL(filePath: "/usr/bin/rclone")]
            default: [ServerPrograms.python]
            }
        let missing = programs.filter { !ServerPrograms.has($0) }.map(\.path)
        return missing.isEmpty
            ? nil
            : "\(missing.joined(separator: ", ")): missing (scripts/prepare --tests, scripts/prepare-test-servers)"
    }

    private static func document() throws -> String {
        try String(contentsOf: Repository.file("docs/uploads.md"), encoding: .utf8)
    }

    /// Returns the document's tables that configure destinations, with the names of the destinations.
    private static func blocks() throws -> [(name: String, text: String)] {
        let tables = try document().matches(of: /```toml\n([\s\S]*?)```/).map { String($0.1) }
        return tables.filter { $0.contains("[[destination]]") }.map { text in
            let name = text.firstMatch(of: /name = "([^"]+)"/).map { String($0.1) }
            return (name: name ?? "no name", text: text)
        }
    }

    /// Returns the names of the destinations that the document configures, in order.
    static func documentedNames() throws -> [String] { try blocks().map(\.name) }

    /// Returns the names in the document's list of tested recipes, in order.
    static func testedNames() throws -> [String] {
        let list = try document().components(separatedBy: "### Which recipes were tried").last ?? ""
        return list.components(separatedBy: "\n## ")[0].split(separator: "\n").compactMap { line in
            line.wholeMatch(of: /\| `([^`]+)` \| .+ \|/).map { String($0.1) }
        }
    }

    /// Returns the recipe, word for word.
    func text() throws -> String? { try Self.blocks().first { $0.name == rawValue }?.text }
}
