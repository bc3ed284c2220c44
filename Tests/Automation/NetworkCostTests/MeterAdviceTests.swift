import ChildProcesses
import FrameFastModel
import Logging
import Synchronization
import TestRig
import Testing

@testable import NetworkCost

/// Tests of the next step that the condition `metered-unknown` names.
@Suite(.programs(1), .timeLimit(.minutes(5))) struct MeterAdviceTests {
    /// Runs a meter until its first report, and returns the reported condition.
    private func firstReport(by program: String, _ arguments: [String]) async throws -> Condition? {
        let reports = Mutex<[Condition?]>([])
        let meter = NetworkMeter(
            command: CommandSettings(program: program, arguments: arguments, timeoutSeconds: 60),
            interval: .seconds(60), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            onChange: {}, onCondition: { condition in reports.withLock { $0.append(condition) } })
        let run = Task { try await meter.run() }
        let first = try await eventually("a report") { reports.withLock(\.first) }
        run.cancel()
        _ = await run.result
        return first
    }

    @Test func `the condition ends after a restart with a working metered_command`() async throws {
        let condition = try #require(try await firstReport(by: "/usr/bin/test", ["x", "-eq", "1"]))
        #expect(condition.kind == .meteredUnknown)
        #expect(
            condition.nextStep.contains("Set metered_command in [upload] to a program that determines this"))
        #expect(condition.nextStep.contains("Then restart the service"))
        #expect(try await firstReport(by: "/usr/bin/test", ["-e", "/"]) == nil)
    }
}
