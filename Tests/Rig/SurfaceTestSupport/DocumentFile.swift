import Foundation
import Repository

/// A text file of the repository. A test may generate its content.
public struct DocumentFile: Sendable {
    /// The path relative to the root of the repository.
    public let path: String

    /// Creates a reference to a file.
    public init(_ path: String) {
        self.path = path
    }

    /// Returns the content of the file.
    public func text() throws -> String { try String(contentsOf: url, encoding: .utf8) }

    private var url: URL { Repository.file(path) }

    /// Returns the content of the file. If `FRAMEFAST_WRITE_DOCS` is 1, writes the generated text first.
    public func text(writing generated: String) throws -> String {
        if ProcessInfo.processInfo.environment["FRAMEFAST_WRITE_DOCS"] == "1" {
            try Data(generated.utf8).write(to: url)
        }
        return try text()
    }
}
