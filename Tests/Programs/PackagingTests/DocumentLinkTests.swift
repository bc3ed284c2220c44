import Foundation
import Repository
import SurfaceTestSupport
import Testing

/// Tests of links in documents, to files and to headings, and of the paths in CONTRIBUTING's tables.
@Suite struct DocumentLinkTests {
    private static let root = Repository.root

    @Test(arguments: [
        ".", "docs", "Benchmarks", "Sources/API", "Sources/Automation", "Sources/CLI", "Sources/Camera",
        "Sources/Capture", "Sources/Daemon", "Sources/Linux", "Sources/Model", "Sources/Pictures",
        "Sources/Simulator", "Sources/Upload", "Tests", "Tests/ServiceRig",
    ])
    func `every link in a document points to an existing file and heading`(folder: String) throws {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: Self.root.appending(path: folder).path)
        let documents = names.filter { $0.hasSuffix(".md") }
        #expect(!documents.isEmpty)
        for document in documents {
            for link in try Self.text("\(folder)/\(document)").matches(of: /\]\((?<target>[^)\s]+)\)/) {
                let target = link.target.split(separator: "#", omittingEmptySubsequences: false).map(
                    String.init)
                guard !target[0].contains("://") else { continue }
                let path = "\(folder)/\(target[0].isEmpty ? document : target[0])"
                #expect(
                    FileManager.default.fileExists(atPath: Self.root.appending(path: path).path),
                    "\(document): \(link.target)")
                guard target.count > 1 else { continue }
                #expect(try Self.anchors(of: path).contains(target[1]), "\(document): \(link.target)")
            }
        }
    }

    /// The head of a column may name the folder of the column's paths. A file name without a folder belongs
    /// to the folder of the path before it.
    @Test func `every path in CONTRIBUTING's tables of files exists`() throws {
        let sections = try Self.text("CONTRIBUTING.md").components(separatedBy: "\n## ")
        let tables = try #require(sections.first { $0.hasPrefix("Where to look\n") })
        let rows = tables.split(separator: "\n", omittingEmptySubsequences: false)
        var folders: [String] = []
        var count = 0
        for (row, next) in zip(rows, rows.dropFirst()) where row.hasPrefix("| ") {
            let cells = row.split(separator: "|").map { Self.paths(in: $0) }
            if next.hasPrefix("|---") {
                folders = cells.map { paths in paths.first.map { "\($0)/" } ?? "" }
                continue
            }
            for (folder, paths) in zip(folders, cells).dropFirst() {
                var last = folder
                for path in paths {
                    let places = path.contains("/") ? [folder + path, path] : [last + path]
                    guard let place = places.first(where: { Self.exists($0) }) else {
                        Issue.record("\(path) does not exist: \(row)")
                        continue
                    }
                    count += 1
                    last = place.lastIndex(of: "/").map { String(place[...$0]) } ?? ""
                }
            }
        }
        #expect(count > 500)
    }

    /// Returns the paths and file names that a cell of a table quotes.
    private static func paths(in cell: Substring) -> [String] {
        cell.matches(of: #/`(?<path>\w[^` ]*)`/#).map { String($0.path) }
            .filter { $0.contains("/") || $0.contains(/\w\.\w+$/) }
    }

    /// Returns whether a file or folder of the repository exists.
    private static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Returns the anchors of a document's headings: lower case, hyphens for spaces, no punctuation.
    private static func anchors(of path: String) throws -> [String] {
        try text(path).split(separator: "\n").filter { $0.hasPrefix("#") }.map { heading in
            heading.drop { $0 == "#" }.dropFirst().lowercased()
                .filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
                .replacing(" ", with: "-")
        }
    }
}
