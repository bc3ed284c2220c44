import FrameFastAPI
import SurfaceTestSupport
import TerminalUI
import TestRig
import Testing

@testable import APIServer

/// Programs that follow the service, with a reader that goes away: a bar that reloads leaves its followers behind.
@Suite(.programs(1)) struct FollowerProgramTests {
    /// Reads the first line and goes. Prints the follower's exit status on standard error; `timeout` only ends a follower
    /// that never would.
    private static let firstLine = [
        "/usr/bin/timeout", "60", "/bin/sh", "-c", #"("$@"; echo "status $?" >&2) | head -n 1"#, "sh",
    ]
    /// As a shell reports a program that SIGPIPE ended.
    private static let endedByPipe = "status 141\n"

    @Test(arguments: [["status", "--follow", "--format", "waybar"], ["events", "--follow"]])
    func `a follower whose reader is gone ends without an event`(arguments: [String]) async throws {
        try await RunningServer.run { server in
            let run = try await ProgramRun.of(
                arguments + ["--socket", server.socketPath], wrapper: Self.firstLine)
            #expect(run.errors == Self.endedByPipe)
            #expect(run.output.split(separator: "\n").count == 1, "\(run.output)")
            #expect(server.hub.lastSeq == 0, "an event was published")
            try await eventually("the event stream to be free again") {
                server.hub.readerCount == 0 ? () : nil
            }
        }
    }

    @Test(arguments: Tier.rows(StatusBarFormat.allCases.filter { $0 != .i3bar }, gate: [.plain, .waybar]))
    func `a follower shows the status while every event stream is taken`(format: StatusBarFormat) async throws
    {
        try await RunningServer.run { server in
            server.surface.change { $0.status.conditions = [Samples.condition] }
            let leases = (0..<EventHub.readersMax).compactMap { _ in server.hub.lease() }
            #expect(leases.count == EventHub.readersMax)
            let run = try await ProgramRun.of(
                ["status", "--follow", "--format", format.rawValue, "--socket", server.socketPath],
                wrapper: Self.firstLine)
            #expect(run.output.contains("disk nearly full"), "\(run.output)")
            #expect(run.errors == Self.endedByPipe)
            #expect(server.hub.readerCount == EventHub.readersMax)
            withExtendedLifetime(leases) {}
        }
    }
}
