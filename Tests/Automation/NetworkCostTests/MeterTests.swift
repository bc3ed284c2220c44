import ChildProcesses
import Testing

@testable import NetworkCost

@Suite struct MeterTests {
    @Test(arguments: [
        (CommandRun.Outcome(end: .exited(0)), MeterAnswer.metered), (.init(end: .exited(1)), .free),
        (.init(end: .exited(2), errors: "no modem\n"), .unknown("exit code 2 (no modem)")),
        (.init(end: .timedOut), .unknown("timed out")),
    ])
    func `reads a command's answer from its exit code`(outcome: CommandRun.Outcome, answer: MeterAnswer) {
        #expect(MeterAnswer(command: outcome) == answer)
    }

    @Test(arguments: [
        ("u 0\n", MeterAnswer.free), ("u 1\n", .metered), ("u 2\n", .free), ("u 3\n", .metered),
        ("u 4\n", .free), ("s \"x\"\n", .unknown("NetworkManager says 's \"x\"'")),
    ])
    func `reads NetworkManager's answer from its number`(output: String, answer: MeterAnswer) {
        #expect(MeterAnswer(networkManager: .init(end: .exited(0), output: output)) == answer)
    }
}
