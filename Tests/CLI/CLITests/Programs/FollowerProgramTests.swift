import FrameFastAPI
import SurfaceTestSupport
import TerminalUI
import TestRig
import Testing

@testable import APIServer

/// Tests of programs that follow the daemon until their reader closes the pipe, for example when a status bar
/// reloads.
@Suite(.programs(1)) struct FollowerProgramTests {
    /// A wrapper that reads the first line and closes the pipe. It prints the follower's exit status to
    /// standard error. `timeout` ends a follower that hangs.
    private static let firstLine = [
        "/usr/bin/timeout", "60", "/bin/sh", "-c", #"("$@"; echo "status $?" >&2) | head -n 1"#, "sh",
    ]
    /// The exit status that a shell reports for a program ended by SIGPIPE.
    private static let endedByPipe = "status 141\n"

    @Test(arguments: [["status", "--follow", "--format", "waybar"], ["events", "--follow"]])
    func `exits when the reader closes the pipe, even if no event occurs`(arguments: [String]) async throws {
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
    func `shows the status while all event streams are in use`(format: StatusBarFormat) async throws {
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
