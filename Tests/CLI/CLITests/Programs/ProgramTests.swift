import APIServer
import Foundation
import FrameFastAPI
import SurfaceTestSupport
import Synchronization
import Testing

/// The built program against a real socket.
@Suite struct ProgramTests {
    private func run(_ arguments: [String], wrapper: [String] = []) async throws -> ProgramRun {
        try await ProgramRun.of(arguments, wrapper: wrapper)
    }

    @Test func `status is one round trip and exits with 0 when all is well`() async throws {
        try await RunningServer.run { server in
            let run = try await run(["--socket", server.socketPath, "status"])
            #expect(run.status == 0)
            #expect(run.output.contains("✓ Ready"))
            #expect(!run.output.contains("\u{1B}"))
            #expect(server.surface.calls == ["status"])
        }
    }

    @Test func `status counts the uploads, those that there are, what needs somebody first`() async throws {
        try await RunningServer.run { server in
            server.surface.change { $0.status.uploads = Samples.destinations[1].statistics }
            let run = try await run(["status", "--socket", server.socketPath])
            #expect(run.output.contains("Uploads  1 failed · 40 retrying · 80 delivered\n"))
            let plain = try await self.run(["status", "--plain", "--socket", server.socketPath])
            #expect(plain.output.contains("uploads delivered: 80\nuploads retrying: 40\nuploads failed: 1\n"))
        }
    }

    @Test func `every damaged photo is read again when no id is given, page after page`() async throws {
        let read = Mutex<[CaptureID]>([])
        let surface = ScriptedControlSurface { table in
            table.on(\.captures.retry) { id throws(ControlError) in
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
            #expect(run.status == 0, "\(run.errors)")
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

    @Test(arguments: [
        ["cameras"], ["cameras", "find"], ["cameras", "rename", "studio-a", "b"],
        ["cameras", "ignore", "studio-a"],
        ["cameras", "ignore", "--undo", "studio-a"], ["cameras", "add", "192.168.1.5"], ["connect"],
        ["captures"], ["session", "start", "x"], ["session", "list"], ["session", "stop"],
        ["shoot"],
        ["shoot", "--camera", "studio-a"], ["template", "test", "{ext}"], ["version"], ["events"],
    ])
    func `every verb works and prints JSON when asked`(verb: [String]) async throws {
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

    @Test func `all photos are listed page after page`() async throws {
        try await RunningServer.run { server in
            server.surface.change { $0.captures = (1...2500).reversed().map { Samples.capture($0) } }
            let run = try await run(["captures", "--all", "--json", "--socket", server.socketPath])
            let page = try WireCoder.decode(CapturesReply.self, from: Data(run.output.utf8))
            #expect(page.captures.map(\.id.rawValue) == Array((1...2500).reversed()))
            #expect(page.nextCursor == nil)
            #expect(server.surface.calls.count == 3)
        }
    }

    @Test func `events are followed until the daemon stops`() async throws {
        try await RunningServer.run { server in
            async let run = run(["events", "--follow", "--socket", server.socketPath])
            // The reader is there once it asked for its snapshot.
            while !server.surface.calls.contains("status") { await Task.yield() }
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

    @Test(arguments: [
        ["statos"], ["status", "--json", "--plain"], ["captures", "--limit", "0"], ["session", "start"],
    ])
    func `a wrong command line exits with 2`(arguments: [String]) async throws {
        let run = try await run(arguments)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("Usage:"))
    }

    @Test func `without a daemon the exit is 3 and the way out is told`() async throws {
        let run = try await run(["status", "--socket", "/nonexistent.sock"])
        #expect(run.status == 3)
        #expect(
            run.errors.hasPrefix(
                "framefast: framefastd is not running (no socket at /nonexistent.sock)\n  Start it with"))
    }

    @Test func `what the daemon refuses exits with 1 and says why`() async throws {
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

    /// Another user can only be played by root.
    private static let canPlayAnotherUser =
        geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")

    @Test(
        .enabled(if: canPlayAnotherUser, "needs root and setpriv to play another user"),
        arguments: [true, false])
    func `another user may look when that is allowed, and never control`(isPublic: Bool) async throws {
        let policy = AccessPolicy(ownUser: 0, controlGroup: nil, isStatusPublic: isPublic)
        try await RunningServer.run(policy: policy) { server in
            let nobody = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
            let status = try await run(["status", "--socket", server.socketPath], wrapper: nobody)
            let shoot = try await run(["shoot", "--socket", server.socketPath], wrapper: nobody)
            #expect(status.status == (isPublic ? 0 : 5), "\(status.errors)")
            #expect(shoot.status == 5)
            #expect(shoot.errors.contains("group framefast"))
        }
    }

    /// Who asks, by the ids of a process that no user database knows of: user 4001, the group in question is 4242.
    @Test(
        .enabled(if: canPlayAnotherUser, "needs root and setpriv to play another user"),
        arguments: [
            (["--regid=4001", "--groups=4001,4242"], 0),  // a member, in a fresh login
            (["--regid=4242", "--groups=4001"], 0),  // a member, by `sg`
            (["--regid=4001", "--groups=4001,4243"], 5), (["--regid=4001", "--clear-groups"], 5),
        ])
    func `who has the group controls, by the ids of the process that asks`(ids: [String], status: Int)
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
