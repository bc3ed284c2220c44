import APIClient
import Foundation
import FrameFastAPI
import Glibc
import TestRig
import Testing

/// Tests of `framefast watch` in a real terminal, with the real service, while cameras shoot.
@Suite(.serialized, .programs(4), .enabled(if: Tmux.isInstalled, "needs tmux")) struct WatchTests {
    private struct Fixture {
        let folder: ScratchFolder
        let camera: Simulator
        let rig: DaemonRig
        let terminal: Tmux

        /// - Parameter destination: The table of the destination, or `nil` for a folder called nas.
        init(
            columns: Int = 80, rows: Int = 24, destination: [String]? = nil, photoSize: String = "100KB"
        ) async throws {
            folder = try ScratchFolder()
            let nas = folder.path("nas")
            try FileManager.default.createDirectory(atPath: nas, withIntermediateDirectories: true)
            camera = try await Simulator(folder, ["--size", photoSize])
            rig = try DaemonRig(
                cameras: [("studio-a", camera.address)],
                tables: destination ?? [
                    "[[destination]]", "name = \"nas\"", "kind = \"directory\"", "path = \"\(nas)\"",
                ])
            try await rig.start()
            try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
            _ = try rig.client.call(\.sessions.start, .init(name: "Wedding"))
            terminal = try Tmux(columns: columns, rows: rows, environment: ["FRAMEFAST_SOCKET": rig.socket])
            try terminal.type("\(Programs.path("framefast").path) watch; echo ended $?")
        }

        /// Returns the process id of the program in the terminal.
        func watcher() async throws -> Int32 {
            try await eventually("the program in the terminal") { try terminal.child() }
        }
    }

    @Test(arguments: Tier.rows([(80, 24), (120, 40), (40, 20)], gate: 1))
    func `shows all information on screens of different sizes`(columns: Int, rows: Int) async throws {
        let fixture = try await Fixture(columns: columns, rows: rows)
        try await fixture.terminal.waitForText(
            "FrameFast  ✓ Running", "✓ Ready", "studio-a", "Session", "Wedding", "Disk")
        try fixture.camera.command("shoot 5")
        try await fixture.terminal.waitForText("Photos 5", "✓ Delivered", "q quit")
        try await eventually("every photo to be delivered") {
            let screen = try fixture.terminal.screen()
            #expect(screen.count <= rows + 1)
            return screen.count { $0.contains("✓ Delivered") } == 5 ? () : nil
        }
        try fixture.terminal.press("q")
        try await fixture.terminal.waitForText("ended 0")
        #expect(try await fixture.terminal.isIntact())
        try await fixture.rig.stop()
    }

    @Test(
        .enabled(if: UploadServer.Kind.webdav.obstacle == nil, "\(UploadServer.Kind.webdav.obstacle ?? "")"),
        arguments: Tier.rows([(80, 24), (120, 40), (40, 20)], gate: 1))
    func `shows a server's outage and return while photos are taken`(columns: Int, rows: Int) async throws {
        let server = try await UploadServer(.webdav)
        let fixture = try await Fixture(columns: columns, rows: rows, destination: server.table)
        try fixture.camera.command("burst 4 100")
        try await fixture.terminal.waitForText("✓ Ready      webdav", "Photos 4", "✓ Delivered")
        try await server.stopServer()
        try fixture.camera.command("burst 6 100")
        try await fixture.terminal.waitForText("Photos 10", "▲ Away       webdav", "retrying")
        try await server.startServer()
        try fixture.camera.command("burst 2 100")
        try await fixture.terminal.waitForText("Photos 12", "✓ Ready      webdav")
        try await fixture.rig.status("every photo to be delivered") { $0.uploads.delivered == 12 }
        let sums = try await server.sums()
        #expect(sums == (try fixture.camera.truth().map(\.sha256).sorted()), "[loss] wrong photos delivered")
        try await fixture.rig.stop()
    }

    @Test func `keys control the service and irreversible actions require confirmation`() async throws {
        let fixture = try await Fixture()
        try await fixture.terminal.waitForText("✓ Ready      nas")
        try fixture.terminal.press("p")
        // Two separate waits: the message disappears after six seconds, and the new state may appear later.
        try await fixture.terminal.waitForText("All uploads are paused.")
        try await fixture.terminal.waitForText("○ Paused     nas")
        try fixture.terminal.press("s")
        try await fixture.terminal.waitForText("Released: studio-a.")
        try await fixture.terminal.waitForText("Photos 1", "Queued")
        try fixture.terminal.press("p")
        try await fixture.terminal.waitForText("All uploads are resumed.")
        try await fixture.terminal.waitForText("✓ Delivered")
        try fixture.terminal.press("m")
        try await fixture.terminal.waitForText("When are photos uploaded?")
        try fixture.terminal.press("2")
        try await fixture.terminal.waitForText("Shoot offline")
        try fixture.terminal.press("s")
        try await fixture.rig.status("a held photo") { $0.uploads.held == 1 }
        // The confirmation text depends on the state that the screen has received.
        try await fixture.terminal.waitForText("1 held")
        try fixture.terminal.press("m")
        try fixture.terminal.press("1")
        try await fixture.terminal.waitForText("Switch to Real-time upload?", "Yes or no? [y/N]")
        // The default choice is no.
        try fixture.terminal.press("Enter")
        try await fixture.terminal.waitForText("Photos 2", "Held")
        try await fixture.rig.status("the photo to stay held") { $0.uploads.held == 1 }
        try fixture.terminal.press("d")
        try await fixture.terminal.waitForText("Session", "Downloaded", "2 shots", "Uploads", "1 held")
        try fixture.terminal.press("Escape")
        try fixture.terminal.press("?")
        try await fixture.terminal.waitForText("take a photo with")
        try await fixture.rig.stop()
    }

    /// The list has more than one page, because the screen requests only the newest 500 photos.
    @Test(.nightly("takes minutes; CLITests cover the pages and the search"))
    func `scrolls to the oldest of 620 photos and finds it by name`() async throws {
        let fixture = try await Fixture(columns: 100, rows: 30, photoSize: "10KB")
        try await fixture.terminal.waitForText("✓ Running")
        try fixture.terminal.press("q")
        try await fixture.terminal.waitForText("ended 0")
        try fixture.camera.command("burst 620 0")
        try await fixture.rig.waitUntilSaved(620, within: 120)
        let records = try await fixture.rig.waitUntilSettled(620)
        try fixture.terminal.type("clear; \(Programs.path("framefast").path) watch; echo ended $?")
        try await fixture.terminal.waitForText("✓ Running", "Photos newest 500")
        for key in ["Tab", "Tab", "Tab", "End"] { try fixture.terminal.press(key) }
        let whole = try await fixture.terminal.waitForText("Photos 620")
        #expect(!whole.joined().contains("newest"))
        try fixture.terminal.press("End")
        let first = try #require(records.first?.path).split(separator: "/").last.map(String.init)
        let name = try #require(first)
        let end = try await fixture.terminal.waitForText("❯ ✓ Delivered", name)
        #expect(end.last { $0.contains("✓ Delivered") }?.contains(name) == true)
        try fixture.terminal.press("/")
        try fixture.terminal.type(name)
        let found = try await fixture.terminal.waitForText("Photos 1 of 620", "/ \(name)")
        #expect(found.count { $0.contains("✓ Delivered") } == 1)
        try fixture.terminal.press("Escape")
        try await fixture.terminal.waitForText("Photos 620")
        try await fixture.rig.stop()
    }

    @Test func `stays open while the service restarts and follows the window size`() async throws {
        let fixture = try await Fixture()
        try fixture.camera.command("shoot 2")
        try await fixture.terminal.waitForText("Photos 2", "✓ Delivered")
        try await fixture.rig.kill()
        try await fixture.terminal.waitForText("✗ Offline", "systemctl start framefastd", "Photos 2")
        try fixture.terminal.resize(columns: 40, rows: 20)
        try await fixture.terminal.waitForText("✗ Offline")
        try await fixture.rig.start()
        try await fixture.terminal.waitForText("✓ Running", "Photos 2", "✓ Delivered")
        try fixture.terminal.resize(columns: 130, rows: 40)
        let wide = try await fixture.terminal.waitForText("↑↓ move", "2 delivered")
        #expect(!wide.joined().contains("Offline"))
        try await fixture.rig.stop()
    }

    @Test(.nightly("in the gate, the test with signals checks the restored terminal"))
    func `suspends and resumes with the shell's job control`() async throws {
        let fixture = try await Fixture()
        try await fixture.terminal.waitForText("✓ Running")
        try fixture.terminal.press("C-z")
        try await eventually("the shell's own screen") {
            try fixture.terminal.flag("alternate_on") == "0" ? () : nil
        }
        #expect(try await fixture.terminal.isIntact())
        try fixture.terminal.type("fg")
        try await fixture.terminal.waitForText("✓ Running", "studio-a", "q quit")
        try fixture.terminal.press("q")
        try await eventually("the shell's own screen") {
            try fixture.terminal.flag("alternate_on") == "0" ? () : nil
        }
        #expect(try await fixture.terminal.isIntact())
        try await fixture.rig.stop()
    }

    @Test(arguments: Tier.rows([SIGSEGV, SIGTERM, SIGHUP, SIGINT, SIGABRT, SIGILL], gate: 1))
    func `restores the terminal after a signal or a crash`(signal: Int32) async throws {
        let fixture = try await Fixture()
        try await fixture.terminal.waitForText("✓ Running")
        kill(try await fixture.watcher(), signal)
        // Ctrl-C ends the program normally. After any other signal, the exit status contains the signal
        // number.
        try await fixture.terminal.waitForText(signal == SIGINT ? "ended 0" : "ended \(128 + signal)")
        #expect(try await fixture.terminal.isIntact())
        try await fixture.rig.stop()
    }

    @Test(
        .nightly("TerminalUITests cover each kind of terminal"),
        arguments: [
            (["TERM": "dumb"], 2, "framefast status --follow"), (["NO_COLOR": "1"], 0, "again"),
            (["LANG": "C", "LC_ALL": "C"], 0, "again"),
        ])
    func `falls back on terminals without color, Unicode or cursor control`(
        environment: [String: String], status: Int, text: String
    )
        async throws
    {
        let fixture = try await Fixture()
        try await fixture.terminal.waitForText("✓ Running")
        try fixture.terminal.press("q")
        try await fixture.terminal.waitForText("ended 0")
        let settings = environment.map { "\($0)=\($1)" }.joined(separator: " ")
        try fixture.terminal.type(
            "clear; \(settings) \(Programs.path("framefast").path) watch; echo ended again $?")
        if status == 0 {
            let screen = try await fixture.terminal.waitForText("Running", "studio-a", "q quit")
            let isASCII = screen.joined().allSatisfy(\.isASCII)
            #expect(isASCII == (environment["LANG"] == "C"))
            try fixture.terminal.press("q")
        }
        try await fixture.terminal.waitForText("ended again \(status)", text)
        try await fixture.rig.stop()
    }
}
