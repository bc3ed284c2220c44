import ChildProcesses
import Testing

@testable import NetworkCost

@Suite struct MeterTests {
    @Test(arguments: [
        (CommandRun.Outcome(end: .exited(0)), MeterReading.metered), (.init(end: .exited(1)), .free),
        (.init(end: .exited(2), errors: "no modem\n"), .unknown("exit code 2 (no modem)")),
        (.init(end: .timedOut), .unknown("timed out")),
    ])
    func `converts the exit code of a command to a result`(
        outcome: CommandRun.Outcome, expected: MeterReading
    ) {
        #expect(MeterReading(command: outcome) == expected)
    }

    @Test(arguments: [
        ("u 0\n", MeterReading.free), ("u 1\n", .metered), ("u 2\n", .free), ("u 3\n", .metered),
        ("u 4\n", .free), ("s \"x\"\n", .unknown("unexpected response from NetworkManager: 's \"x\"'")),
    ])
    func `converts the value of NetworkManager's property to a result`(output: String, expected: MeterReading)
    {
        #expect(MeterReading(networkManager: .init(end: .exited(0), output: output)) == expected)
    }
}
