import Foundation
import Glibc
import Synchronization
import Testing

/// A log of the running tests, for the hang guard of `scripts/test`.
///
/// Swift Testing's event stream cannot serve this purpose. The stream reports a test as started while the
/// test still waits for its ``ProcessTokens``.
enum RunningTests {
    /// The file that `scripts/test` reads, or `nil` if the tests run without it.
    private static let file: Int32? = {
        guard let path = ProcessInfo.processInfo.environment["FRAMEFAST_TEST_RUNNING"] else { return nil }
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        return descriptor < 0 ? nil : descriptor
    }()
    private static let cases = Atomic<Int>(0)

    /// Runs a case and writes a line before and after it.
    static func recording(_ test: Test, _ body: () async throws -> Void) async throws {
        guard let file else { return try await body() }
        let name = "\(test.id), case \(cases.add(1, ordering: .relaxed).newValue)"
        append("+\t\(name)\n", to: file)
        defer { append("-\t\(name)\n", to: file) }
        try await body()
    }

    private static func append(_ line: String, to file: Int32) {
        // A single short write with O_APPEND is atomic. A lost line makes a hang report less exact and has no
        // other effect.
        _ = line.withCString { write(file, $0, strlen($0)) }
    }
}
