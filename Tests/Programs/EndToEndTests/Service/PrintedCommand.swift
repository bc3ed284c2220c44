import Foundation
import FrameFastAPI
import TestRig
import Testing

/// A `framefast` command that a condition's next step prints in quotes.
enum PrintedCommand {
    /// Runs the printed command with the socket of a rig.
    ///
    /// - Parameters:
    ///   - code: The code of the condition.
    ///   - more: Options that the test adds.
    static func run(
        of code: String, in status: StatusReply, on rig: DaemonRig, adding more: [String] = []
    ) async throws -> (status: Int32, output: String) {
        let step = try #require(status.conditions.first { $0.code == code }?.nextStep)
        let printed = try #require(step.firstMatch(of: #/'framefast ([^']+)'/#)?.1, "\(step)")
        let words = printed.split(separator: " ").map(String.init)
        return try await RunningProgram.run(
            Programs.path("framefast"), words + ["--socket", rig.socket] + more, in: rig.folder)
    }
}
