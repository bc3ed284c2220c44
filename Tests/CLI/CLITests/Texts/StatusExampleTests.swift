import APIServer
import Foundation
import FrameFastAPI
import Repository
import SurfaceTestSupport
import TerminalUI
import TestRig
import Testing

/// Tests of the examples for status bars. Each example runs in its bar. If the bar needs a desktop, the test
/// compares the output with the bar's protocol instead.
@Suite(.serialized, .programs(1)) struct StatusExampleTests {
    private static let root = Repository.root

    private static func path(_ name: String) -> String {
        root.appendingPathComponent("examples/\(name)").path
    }

    private static func text(_ name: String) throws -> String {
        try String(contentsOfFile: path(name), encoding: .utf8)
    }

    private static func isInstalled(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
    }

    /// Returns the variables with which the examples find the program and its daemon.
    private static func environment(_ server: RunningServer) -> [String: String] {
        let folder = URL(fileURLWithPath: ProgramRun.program).deletingLastPathComponent().path
        return [
            "PATH": "\(folder):/usr/bin:/bin", "FRAMEFAST_SOCKET": server.socketPath, "HOME": "/nonexistent",
        ]
    }

    private static func shell(_ command: String, _ server: RunningServer) throws -> PseudoTerminal {
        try PseudoTerminal(
            ["-c", "stty -onlcr -echo; exec \(command)"], program: "/bin/sh", columns: 200,
            environment: environment(server))
    }

    private static var busy: CameraReply {
        var camera = Samples.camera
        camera.state = .reconnecting
        return camera
    }

    @Test(
        .nightly("in the gate, other tests of this suite cover the output for i3, waybar and polybar"),
        .enabled(if: isInstalled("tmux"), "needs tmux"))
    func `tmux shows the status line and updates it`() async throws {
        try await RunningServer.run { server in
            server.surface.change { $0.status.session?.name = "#[bg=red]#{pid}" }
            let socket = "/tmp/ff-\(UUID().uuidString.prefix(8)).tmux"
            try await blocking {
                let terminal = try PseudoTerminal(
                    ["-S", socket, "-f", Self.path("tmux.conf"), "new-session", "cat"],
                    program: "/usr/bin/tmux",
                    columns: 120, environment: Self.environment(server))
                defer {
                    let end = Process()
                    end.executableURL = URL(fileURLWithPath: "/usr/bin/tmux")
                    end.arguments = ["-S", socket, "kill-server"]
                    try? end.run()
                    end.waitUntilExit()
                    try? FileManager.default.removeItem(atPath: socket)
                }
                try terminal.waitForText("✓ Ready")
                // tmux draws the state, the name and the other facts in three steps. tmux must not expand
                // the format codes in the session's name.
                try terminal.waitForText("studio-a")
                try terminal.waitForText(" · #[bg=red]#{pid} · 212 shots")
                server.hub.publish(.camera(Self.busy))
                try terminal.waitForText("▲ Reconnecting")
            }
        }
    }

    @Test(
        .nightly("in the gate, other tests of this suite cover the output for i3, waybar and polybar"),
        .enabled(if: isInstalled("i3blocks"), "needs i3blocks"))
    func `i3blocks shows the status line and updates it`() async throws {
        try await RunningServer.run { server in
            try await blocking {
                let bar = try Self.shell("i3blocks -c \(Self.path("i3blocks.conf"))", server)
                try bar.waitForText("\"full_text\":\"✓ Ready studio-a · Bangkok Wedding · 212 shots\"")
                server.hub.publish(.camera(Self.busy))
                try bar.waitForText("\"full_text\":\"▲ Reconnecting studio-a")
            }
        }
    }

    @Test(
        .nightly("in the gate, other tests of this suite cover the output for i3, waybar and polybar"),
        .enabled(if: isInstalled("i3status"), "needs i3status"))
    func `the i3status wrapper puts the status line first`() async throws {
        try await RunningServer.run { server in
            try await TemporaryDirectory.with { directory in
                let config = directory + "/i3status.conf"
                try "general { output_format = \"i3bar\"\ninterval = 1 }\norder += \"tztime local\"\n"
                    .appending("tztime local { format = \"CLOCK\" }\n")
                    .write(toFile: config, atomically: true, encoding: .utf8)
                try await blocking {
                    let bar = try Self.shell("\(Self.path("i3status-with-framefast")) -c \(config)", server)
                    try bar.waitForText("{\"version\":1}\n[\n")
                    // The first update of i3status, and the next update.
                    for start in ["[", ",["] {
                        try bar.waitForText(start + "{\"color\":")
                        let rest = try bar.line()
                        let round = try JSONSerialization.jsonObject(with: Data(("[{\"color\":" + rest).utf8))
                        let texts = (round as? [[String: Any]])?.compactMap { $0["full_text"] as? String }
                        #expect(texts == ["✓ Ready studio-a · Bangkok Wedding · 212 shots", "CLOCK"])
                    }
                }
            }
        }
    }

    @Test func `prints the i3bar protocol for i3 and sway`() async throws {
        let command = try #require(try Self.text("i3.conf").firstMatch(of: /status_command (.+)/)).output.1
        try await RunningServer.run { server in
            try await blocking {
                let bar = try Self.shell(String(command), server)
                try bar.waitForText("{\"version\":1}\n[\n[{")
                server.hub.publish(.camera(Self.busy))
                try bar.waitForText("],\n[{")
                let line = try bar.line()
                let block = try JSONSerialization.jsonObject(with: Data(("{" + line.dropLast(2)).utf8))
                #expect((block as? [String: Any])?["short_text"] as? String == "▲ Reconnecting")
            }
        }
    }

    @Test func `prints one JSON object per line for waybar`() async throws {
        let lines = try Self.text("waybar.jsonc").split(separator: "\n")
            .filter { !$0.drop { $0 == " " }.hasPrefix("//") }
        let config = try JSONSerialization.jsonObject(with: Data(lines.joined(separator: "\n").utf8))
        let module = try #require((config as? [String: Any])?["custom/framefast"] as? [String: Any])
        #expect(module["return-type"] as? String == "json")
        // waybar-custom(5): without an interval, waybar reads a running program line by line.
        #expect(module["interval"] == nil)
        let command = try #require(module["exec"] as? String)
        try await RunningServer.run { server in
            try await blocking {
                let bar = try Self.shell(command, server)
                for word in ["success", "warning"] {
                    let object = try JSONSerialization.jsonObject(with: Data(try bar.line().utf8))
                    #expect((object as? [String: Any])?["class"] as? String == word)
                    server.hub.publish(.camera(Self.busy))
                }
            }
        }
    }

    @Test func `prints polybar format tags`() async throws {
        let text = try Self.text("polybar.ini")
        #expect(text.contains("tail = true"))
        let command = try #require(text.firstMatch(of: /exec = (.+)/)).output.1
        try await RunningServer.run { server in
            try await blocking {
                let line = try Self.shell(String(command), server).line()
                #expect(line == "%{F#10B981}✓ Ready%{F-} studio-a · Bangkok Wedding · 212 shots")
            }
        }
    }
}

extension PseudoTerminal {
    /// Waits for the next line, and returns the line without the line break.
    fileprivate func line() throws -> String { try waitForText("\n") }
}
