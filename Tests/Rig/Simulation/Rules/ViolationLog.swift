import Synchronization

/// The violations of the rules that are checked while the service runs.
final class ViolationLog: Sendable {
    private let lines = Mutex<[String]>([])

    /// Adds a violation.
    func add(_ line: String) { lines.withLock { $0.append(line) } }

    /// All violations.
    var all: [String] { lines.withLock(\.self) }
}
