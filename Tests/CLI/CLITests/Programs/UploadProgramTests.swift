import APIServer
import Foundation
import FrameFastAPI
import SurfaceTestSupport
import Synchronization
import TerminalUI
import TestRig
import Testing

/// Tests of the upload verbs of the built program, against a real socket.
@Suite(.programs(1)) struct UploadProgramTests {
    private static let verbs = [
        ["queue"], ["queue", "list", "--state", "verifying,retrying,failed"], ["queue", "--to", "nas"],
        ["queue", "pause"], ["queue", "pause", "nas"], ["queue", "resume"], ["queue", "resume", "nas"],
        ["queue", "retry"], ["queue", "retry", "--state", "failed", "1"], ["queue", "hold", "--to", "nas"],
        ["queue", "release", "--camera", "studio-a"], ["queue", "drop", "--session", "1", "--yes"],
        ["queue", "drop", "--all", "--yes"],
        ["queue", "add", "--session", "Bangkok Wedding", "--to", "nas"],
        ["queue", "add", "1", "--to", "nas"], ["mode"], ["mode", "offline"],
        ["mode", "rated", "--stars", "3"], ["mode", "rated", "--threshold", "3"],
        ["mode", "scheduled", "--from", "22:00", "--to", "06:00"],
        ["mode", "scheduled", "--window", "22:00-06:00", "--after", "50"],
        ["destinations"], ["destinations", "test", "nas"],
        ["destinations", "test", "nas", "--relearn"], ["destinations", "adopt", "nas", "--yes"],
        ["storage"], ["storage", "adopt", "--yes"],
        ["storage", "clear", "--delivered", "--yes"],
        ["storage", "clear", "--delivered", "--session", "1", "--older-than", "30d", "--yes"],
        ["session", "start", "x", "--keep", "7 d"], ["session", "keep", "until-delivered", "--session", "1"],
        ["session", "keep", "as-configured", "--session", "1"],
    ]
    /// The verbs that the gate tests: one of each group.
    private static let gateVerbs = [
        ["queue"], ["mode", "rated", "--stars", "3"], ["destinations"],
        ["storage", "clear", "--delivered", "--yes"],
    ]

    @Test(arguments: Tier.rows(verbs, gate: gateVerbs))
    func `every upload verb works in all output formats`(verb: [String]) async throws {
        try await RunningServer.run { server in
            server.surface.change {
                $0.captures = [Samples.capture(1)]
                $0.destinationTest.ok = true
            }
            let json = try await ProgramRun.of(verb + ["--socket", server.socketPath, "--json"])
            #expect(json.status == 0, "\(json.errors)")
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(json.output.utf8)) }
            let plain = try await ProgramRun.of(verb + ["--socket", server.socketPath, "--plain"])
            #expect(plain.status == 0 && !plain.output.isEmpty)
            let human = try await ProgramRun.of(verb + ["--socket", server.socketPath])
            #expect(human.status == 0 && !human.output.isEmpty)
        }
    }

    @Test func `queue lists undelivered uploads, and all pages with --all`() async throws {
        try await RunningServer.run { server in
            let open = try await ProgramRun.of(["queue", "--json", "--socket", server.socketPath])
            let jobs = try WireCoder.decode(UploadsReply.self, from: Data(open.output.utf8)).jobs
            #expect(jobs.map(\.id) == [7, 6, 5, 4, 2, 1])
            server.surface.change { $0.jobs = (1...2500).reversed().map { Samples.job($0, .delivered) } }
            let all = try await ProgramRun.of(
                ["queue", "--state", "all", "--all", "--json", "--socket", server.socketPath])
            let page = try WireCoder.decode(UploadsReply.self, from: Data(all.output.utf8))
            #expect(page.jobs.map(\.id.rawValue) == Array((1...2500).reversed()) && page.nextCursor == nil)
        }
    }

    @Test(
        arguments: Tier.rows(
            [
                ["queue", "drop", "--to", "agency"], ["storage", "clear", "--delivered"],
                ["queue", "drop", "--to", "agency", "--json"], ["destinations", "adopt", "nas"],
                ["storage", "adopt"],
            ], gate: 2))
    func `without a terminal, drop, clear and adopt require --yes`(verb: [String]) async throws {
        try await RunningServer.run { server in
            let run = try await ProgramRun.of(verb + ["--socket", server.socketPath])
            #expect(run.status == 2 && run.output.isEmpty)
            #expect(run.errors.contains("--yes"))
            #expect(
                ["countUploads", "countStorage", "destinations", "status"].contains(server.surface.calls.last)
            )
        }
    }

    @Test func `storage clear shows the number of files and asks for confirmation`() async throws {
        try await RunningServer.run { server in
            let path = server.socketPath
            let ended = try await blocking {
                let terminal = try PseudoTerminal(
                    ["storage", "clear", "--delivered", "--session", "Bangkok Wedding", "--socket", path])
                try terminal.waitForText("Remove 160 files (4.2 GB) of session Bangkok Wedding from this")
                try terminal.waitForText("[y/N]")
                terminal.press("n\n")
                try terminal.waitForText("Nothing was removed.")
                return try terminal.wait()
            }
            #expect(ended == 130 && !server.surface.calls.contains("clearStorage"))
        }
    }

    @Test func `queue drop does not ask if no upload matches`() async throws {
        try await RunningServer.run { server in
            let run = try await ProgramRun.of([
                "queue", "drop", "--to", "archive", "--socket", server.socketPath,
            ])
            #expect(
                run.status == 0 && run.output == "○ No upload was dropped: none matched.\n")
        }
    }

    private static let answers = [
        ("\n", Int32(130), "Nothing was dropped.", 7), ("y\n", 0, "2 uploads dropped", 5),
        ("\u{04}", 130, "Nothing was dropped.", 7), ("maybe\n", 130, "Nothing was dropped.", 7),
        ("YES\n", 0, "2 uploads dropped", 5),
    ]

    @Test(arguments: Tier.rows(answers, gate: 3))
    func `queue drop asks for confirmation and accepts only yes`(
        keys: String, status: Int32, text: String, left: Int
    ) async throws {
        try await RunningServer.run { server in
            let path = server.socketPath
            let ended = try await blocking {
                let terminal = try PseudoTerminal(["queue", "drop", "--to", "agency", "--socket", path])
                try terminal.waitForText("Drop 2 uploads to agency?")
                try terminal.waitForText("[y/N]")
                terminal.press(keys)
                try terminal.waitForText(text)
                return try terminal.wait()
            }
            #expect(ended == status)
            let jobs = try await server.surface.uploads(.init()).jobs
            #expect(jobs.count == left)
        }
    }

    @Test func `moving uploads to the front sends the given upload numbers`() async throws {
        let given = Mutex<UploadSelection?>(nil)
        let surface = ScriptedControlSurface { table in
            table.handle(\.uploads.first) { selection throws(ControlError) in
                given.withLock { $0 = selection }
                return UploadChangeReply(changed: 2)
            }
        }
        try await RunningServer.run(surface: surface) { server in
            let run = try await ProgramRun.of(["queue", "first", "7", "9", "--socket", server.socketPath])
            #expect(run.status == 0 && run.output == "✓ 2 uploads moved to the front\n")
        }
        #expect(given.withLock { $0 } == UploadSelection(ids: [7, 9]))
    }

    @Test func `a failed destination test exits with 1 and shows the failed step`() async throws {
        try await RunningServer.run { server in
            let run = try await ProgramRun.of([
                "destinations", "test", "agency", "--socket", server.socketPath,
            ])
            #expect(run.status == 1)
            #expect(run.output.contains("✗ Signing in failed."))
            #expect(run.output.contains("1. Put the right password"))
        }
    }

    @Test(
        arguments: Tier.rows(
            [
                (["queue", "add", "--to", "nas", "--session", "who"], "cannot find session 'who'"),
                (["queue", "pause", "who"], "cannot find destination 'who'"),
                (["queue", "retry", "--to", "who"], "cannot find destination 'who'"),
            ], gate: 1))
    func `names the session or destination that does not exist`(verb: [String], text: String) async throws {
        try await RunningServer.run { server in
            let run = try await ProgramRun.of(verb + ["--socket", server.socketPath])
            #expect(run.status == 1 && run.errors.contains(text))
        }
    }

    private static let wrongLines = [
        ["queue", "drop"], ["queue", "drop", "--all", "--to", "nas"], ["queue", "--state", "lost"],
        ["queue", "first"],
        ["queue", "--limit", "0"], ["queue", "add", "--to", "nas"], ["queue", "add", "--all"],
        ["queue", "retry", "--state", "lost"],
        // Names of states in earlier versions.
        ["queue", "--state", "waiting"], ["queue", "--state", "sending"],
        ["queue", "drop", "--state", "hopeless"],
        ["queue", "hold", "--state", "outage"], ["queue", "--state", "all,failed"],
        ["connect", "--mode", "by-hand"], ["mode", "turbo"], ["mode", "rated", "--threshold", "6"],
        ["mode", "offline", "--threshold", "3"], ["mode", "scheduled", "--window", "late"],
        ["mode", "--after", "5"],
        ["storage", "clear"], ["storage", "clear", "--delivered", "--older-than", "long"],
        ["destinations", "test"],
    ]

    @Test(arguments: Tier.rows(wrongLines, gate: 2))
    func `exits with 2 on an invalid upload command line`(arguments: [String]) async throws {
        let run = try await ProgramRun.of(arguments)
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(run.errors.contains("Usage:"))
    }
}
