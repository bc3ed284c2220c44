import Foundation
import Repository
import SurfaceTestSupport
import Testing

/// Tests of links in documents, to files and to headings.
@Suite struct DocumentLinkTests {
    private static let root = Repository.root

    @Test(arguments: [
        ".", "docs", "Benchmarks", "Sources/Camera", "Sources/Capture", "Sources/CLI", "Sources/Daemon",
        "Sources/Upload", "Tests/ServiceRig",
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
