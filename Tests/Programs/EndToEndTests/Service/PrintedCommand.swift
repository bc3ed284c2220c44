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
    ///   - verbs: The first words of the command, for example `queue drop`. If empty, the first printed
    ///     command runs.
    ///   - numbers: The numbers that replace the printed `NUMBER…`.
    ///   - more: Options that the test adds, for example the answer to a question.
    static func run(
        of code: String, in status: StatusReply, on rig: DaemonRig, verbs: String = "",
        numbers: [String] = [], adding more: [String] = []
    ) async throws -> (status: Int32, output: String) {
        let step = try #require(status.conditions.first { $0.code == code }?.nextStep)
        let printed = try #require(
            step.matches(of: #/'framefast ([^']+)'/#).map { $0.1 }.first { $0.hasPrefix(verbs) }, "\(step)")
        let words = printed.split(separator: " ").flatMap { $0 == "NUMBER…" ? numbers : [String($0)] }
        return try await RunningProgram.run(
            Programs.path("framefast"), words + ["--socket", rig.socket] + more, in: rig.folder)
    }
}
