import Foundation
import Glibc

/// The cases that hold ``ProcessTokens``, for the gate's hang guard.
///
/// The event stream of Swift Testing does not tell a case that runs from one that waits. `scripts/test` names a file in
/// `FRAMEFAST_TEST_RUNNING`; each line has a sign, a tab and the name of a case.
final class RunningCases: Sendable {
    static let shared = RunningCases()

    private let descriptor: Int32?

    private init() {
        let path = ProcessInfo.processInfo.environment["FRAMEFAST_TEST_RUNNING"]
        descriptor = path.map { open($0, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644) }
    }

    /// Adds a line: `+` when a case starts, `-` when it ends. A short line is written in one piece.
    func record(_ sign: String, _ name: String) {
        guard let descriptor, descriptor >= 0 else { return }
        let line = Array("\(sign)\t\(name)\n".utf8)
        _ = write(descriptor, line, line.count)
    }
}
