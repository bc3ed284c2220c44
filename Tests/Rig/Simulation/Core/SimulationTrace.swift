import Crypto
import Foundation
import FrameFastModel
import Synchronization

/// The history of a simulation: one line for each event. It contains no absolute path, process id or real
/// time, so two runs of a seed have equal traces.
final class SimulationTrace: Sendable {
    private let state = Mutex<[String]>([])
    private let executor: SimulationExecutor

    init(_ executor: SimulationExecutor) { self.executor = executor }

    /// Adds a line with the virtual time and the number of executed jobs.
    func add(_ text: String) {
        let line = String(format: "%12.6f %7d ", executor.uptime, executor.steps) + text
        state.withLock { $0.append(line) }
    }

    /// All lines.
    var lines: [String] { state.withLock(\.self) }

    /// The SHA-256 of all lines.
    var digest: String {
        Hex.text(SHA256.hash(data: Data(lines.joined(separator: "\n").utf8)))
    }
}
