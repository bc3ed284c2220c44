import Foundation
import Repository

/// A file of the repository that a program generates.
public struct DocumentFile: Sendable {
    /// Path below the repository's root.
    public let path: String

    /// Names a file.
    public init(_ path: String) {
        self.path = path
    }

    /// What is in the file.
    public func text() throws -> String { try String(contentsOf: url, encoding: .utf8) }

    private var url: URL { Repository.file(path) }

    /// What is in the file; with `FRAMEFAST_WRITE_DOCS=1` it is written first.
    public func text(writing generated: String) throws -> String {
        if Repository.writesDocuments {
            try Data(generated.utf8).write(to: url)
        }
        return try text()
    }
}
