import Foundation
import FrameFastAPI
import SurfaceTestSupport
import Synchronization
import TestRig
import Testing

@testable import APIServer

/// Tests of the built program against a real socket.
@Suite(.programs(1)) struct ProgramTests {
    private func run(_ arguments: [String], wrapper: [String] = []) async throws -> ProgramRun {
        try await ProgramRun.of(arguments, wrapper: wrapper)
    }

    @Test func `status makes one request and exits with 0`() async throws {
        try await RunningServer.run { server in
            let run = try await run(["--socket", server.socketPath, "status"])
            #expect(run.status == 0)
            #expect(run.output.contains("✓ Ready"))
            #expect(!run.output.contains("\u{1B}"))
            #expect(server.surface.calls == ["status"])
        }
    }

    @Test func `status lists upload counts without zeros, failures first`() async throws {
        try await RunningServer.run { server in
            server.surface.change { $0.status.uploads = Samples.destinations[1].statistics }
            let run = try await run(["status", "--socket", server.socketPath])
            #expect(run.output.contains("Uploads  1 failed · 40 retrying · 80 delivered\n"))
            let plain = try await self.run(["status", "--plain", "--socket", server.socketPath])
            #expect(plain.output.contains("uploads delivered: 80\nuploads retrying: 40\nuploads failed: 1\n"))
        }
    }

    @Test func `the verb captures retry without ids retries every damaged photo`() async throws {
        let read = Mutex<[CaptureID]>([])
        let surface = ScriptedControlSurface { table in
            table.handle(\.captures.retry) { id throws(ControlError) in
                read.withLock { $0.append(id) }
                return Samples.capture(id.rawValue)
            }
        }
        surface.change { script in
            script.captures = (1...Int64(2_100)).reversed().map { number in
                var capture = Samples.capture(number)
                capture.state = number % 2 == 0 ? .damaged : .saved
                return capture
            }
        }
        try await RunningServer.run(surface: surface) { server in
            let run = try await run(["captures", "retry", "--json", "--socket", server.socketPath])
            #expect(run.status == 0)
            let reply = try WireCoder.decode(CapturesReply.self, from: Data(run.output.utf8))
            #expect(reply.captures.map(\.id) == read.withLock { $0 })
            #expect(
                read.withLock { $0 }.count == 1_050
                    && read.withLock { $0 }.allSatisfy { $0.rawValue % 2 == 0 })
        }
    }

    @Test func `status exits with 4 when something needs attention`() async throws {
        try await RunningServer.run { server in
            server.surface.change { $0.status.conditions = [Samples.condition] }
            let run = try await run(["status", "--json", "--socket", server.socketPath])
            #expect(run.status == 4)
            let status = try WireCoder.decode(StatusReply.self, from: Data(run.output.utf8))
            #expect(status.conditions == [Samples.condition])
            #expect(status.cameras == [Samples.camera])
        }
    }

    private static let verbs = [
        ["cameras"], ["cameras", "find"], ["cameras", "rename", "studio-a", "b"],
        ["cameras", "ignore", "studio-a"],
        ["cameras", "ignore", "--undo", "studio-a"], ["cameras", "add", "192.168.1.5"], ["connect"],
        ["captures"], ["session", "start", "x"], ["session", "list"], ["session", "stop"],
        ["shoot"],
        ["shoot", "--camera", "studio-a"], ["template", "test", "{ext}"], ["version"], ["events"],
    ]

    /// The verbs that the gate tests: a list, a change, a search and a stream.
    private static let gateVerbs = [["cameras"], ["shoot"], ["cameras", "find"], ["events"]]

    @Test(arguments: Tier.rows(verbs, gate: gateVerbs))
    func `verbs print valid JSON and plain text`(verb: [String]) async throws {
        try await RunningServer.run { server in
            server.surface.change { $0.captures = [Samples.capture(1)] }
            let json = try await run(verb + ["--socket", server.socketPath, "--json"])
            #expect(json.status == 0, "\(json.errors)")
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(json.output.utf8)) }
            server.surface.change { $0.status.session = Samples.session }
            let plain = try await run(verb + ["--socket", server.socketPath, "--plain"])
            #expect(plain.status == 0)
            #expect(!plain.output.isEmpty)
        }
    }

    @Test func `captures --all lists every page`() async throws {
        try await RunningServer.run { server in
            server.surface.change { $0.captures = (1...2500).reversed().map { Samples.capture($0) } }
            let run = try await run(["captures", "--all", "--json", "--socket", server.socketPath])
            let page = try WireCoder.decode(CapturesReply.self, from: Data(run.output.utf8))
            #expect(page.captures.map(\.id.rawValue) == Array((1...2500).reversed()))
            #expect(page.nextCursor == nil)
            #expect(server.surface.calls.count == 3)
        }
    }

    @Test func `events --follow prints events until the daemon stops`() async throws {
        try await RunningServer.run { server in
            async let run = run(["events", "--follow", "--socket", server.socketPath])
            // The client requests its snapshot first, and then follows the events.
            try await server.waitForCall("status")
            server.hub.publish(.cameraRemoved("a"))
            server.hub.finish()
            let result = try await run
            let kinds = try result.output.split(separator: "\n").map { line in
                try WireCoder.decode(EventReply.self, from: Data(line.utf8)).body.kind
            }
            #expect(kinds == ["snapshot", "camera_removed"])
            #expect(result.status == 3)
        }
    }

    @Test(
        arguments: Tier.rows(
            [
                ["statos"], ["status", "--json", "--plain"], ["captures", "--limit", "0"],
                ["session", "start"],
            ], gate: 1))
    func `an invalid command line exits with 2`(arguments: [String]) async throws {
        let run = try await run(arguments)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("Usage:"))
    }

    @Test(arguments: [["status", "--json"], ["events"], ["status", "--format", "waybar"]])
    func `exits with 1 if the output cannot be written`(arguments: [String]) async throws {
        try await RunningServer.run { server in
            let run = try await ProgramRun.of(
                arguments + ["--socket", server.socketPath],
                wrapper: ["/bin/sh", "-c", #""$@" >/dev/full"#, "sh"])
            #expect(run.status == 1)
            #expect(run.errors.contains("cannot write to standard output: No space left on device"))
        }
    }

    @Test func `exits with 3 and a next step without a daemon`() async throws {
        let run = try await run(["status", "--socket", "/nonexistent.sock"])
        #expect(run.status == 3)
        #expect(
            run.errors.hasPrefix(
                "framefast: framefastd is not running (no socket at /nonexistent.sock)\n  Start it with"))
    }

    @Test func `exits with 1 and prints the daemon's error`() async throws {
        try await RunningServer.run { server in
            server.surface.change { $0.failure = ControlError(.conflict, "cannot do it", nextStep: "Wait.") }
            let run = try await run(["shoot", "--socket", server.socketPath])
            #expect(run.status == 1)
            #expect(run.errors == "framefast: cannot do it\n  Wait.\n")
            let json = try await self.run(["shoot", "--json", "--socket", server.socketPath])
            #expect(
                try WireCoder.decode(ErrorReply.self, from: Data(json.errors.utf8)).error.code == .conflict)
        }
    }

    /// Whether this process can run commands as another user, which needs root.
    private static let canPlayAnotherUser =
        geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")

    @Test(
        .enabled(if: canPlayAnotherUser, "needs root and setpriv to run the client as another user"),
        arguments: [true, false])
    func `another user can read a public status but cannot control cameras`(isPublic: Bool) async throws {
        let policy = AccessPolicy(ownUser: 0, controlGroup: nil, isStatusPublic: isPublic)
        try await RunningServer.run(policy: policy) { server in
            let otherUser = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
            let status = try await run(["status", "--socket", server.socketPath], wrapper: otherUser)
            let shoot = try await run(["shoot", "--socket", server.socketPath], wrapper: otherUser)
            #expect(status.status == (isPublic ? 0 : 5), "\(status.errors)")
            #expect(shoot.status == 5)
            #expect(shoot.errors.contains("group framefast"))
        }
    }

    // The client runs as user 4001, who is not in the user database. The control group is 4242.
    @Test(
        .enabled(if: canPlayAnotherUser, "needs root and setpriv to run the client as another user"),
        arguments: Tier.rows(
            [
                (["--regid=4001", "--groups=4001,4242"], 0),  // a member, after a new login
                (["--regid=4001", "--groups=4001,4243"], 5),
                (["--regid=4242", "--groups=4001"], 0),  // a member, by `sg`
                (["--regid=4001", "--clear-groups"], 5),
            ], gate: 2))
    func `allows control by the group ids of the client process`(ids: [String], status: Int)
        async throws
    {
        let policy = AccessPolicy(ownUser: 900, controlGroup: 4242, isStatusPublic: true)
        try await RunningServer.run(policy: policy) { server in
            let person = ["/usr/bin/setpriv", "--reuid=4001"] + ids
            let shoot = try await run(["shoot", "--socket", server.socketPath], wrapper: person)
            #expect(Int(shoot.status) == status, "\(shoot.errors)")
            let look = try await run(["status", "--socket", server.socketPath], wrapper: person)
            #expect(look.status == 0, "\(look.errors)")
        }
    }
}
