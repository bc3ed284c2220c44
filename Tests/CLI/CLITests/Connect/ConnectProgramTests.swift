import APIServer
import Foundation
import FrameFastAPI
import Glibc
import SurfaceTestSupport
import TerminalUI
import TestRig
import Testing

/// Tests of the built `framefast connect` on a terminal and in scripts, against a scripted daemon.
@Suite(.serialized, .programs(1)) struct ConnectProgramTests {
    static let wrongMode = CameraReply(
        id: "canon-1", name: "EOS R6", maker: "Canon Inc.", model: "Canon EOS R6", port: "usb:001,004",
        state: .wrongMode, mode: "mass-storage",
        guidance: GuidanceReply(
            sentence: "The camera shows itself as a card reader.",
            steps: ["Choose Photo Import in its USB menu.", "Plug it in again."]))

    static var ready: CameraReply {
        var camera = wrongMode
        camera.state = .ready
        camera.guidance = nil
        camera.port = "usb:001,005"
        camera.batteryPercent = 84
        return camera
    }

    private func empty(_ server: RunningServer) {
        server.surface.change { script in
            script.status.cameras = []
            script.status.session = nil
        }
    }

    @Test func `guides from the choice of maker to a ready camera`() async throws {
        try await RunningServer.run { server in
            empty(server)
            try await blocking {
                let terminal = try PseudoTerminal(["connect", "--socket", server.socketPath])
                try terminal.waitForText("Another maker, or not sure")
                #expect(!terminal.isCooked)
                terminal.press("\r")
                try terminal.waitForText("What is the session's name?")
                terminal.press("Weddingx\u{7F}\r")
                try terminal.waitForText("All uploads are held until you release them.")
                terminal.press("j\u{1B}[B\r")
                try terminal.waitForText("How is the camera connected?")
                terminal.press("1")
                try terminal.waitForText("Connect the Canon by USB.")
                try terminal.waitForText("Waiting for the camera")
                server.hub.publish(.camera(Self.wrongMode))
                try terminal.waitForText("Needs you")
                try terminal.waitForText("The camera shows itself as a card reader.")
                try terminal.waitForText("Plug it in again.")
                var gone = Self.wrongMode
                gone.state = .gone
                server.hub.publish(.camera(gone))
                try terminal.waitForText("Waiting for EOS R6")
                var connecting = Self.ready
                connecting.state = .connecting
                server.hub.publish(.camera(connecting))
                try terminal.waitForText("Connecting to the camera")
                server.hub.publish(.camera(Self.ready))
                try terminal.waitForText("Take a photo.")
                server.hub.publish(.capture(capture))
                try terminal.waitForText("Saved")
                terminal.press("\r")
                let status = try terminal.wait()
                #expect(status == 0)
                #expect(terminal.isCooked)
                #expect(terminal.text.contains("\u{1B}[?1049l"))
            }
            #expect(server.surface.calls.contains("startSession Wedding"))
        }
    }

    private var capture: CaptureReply {
        var capture = Samples.capture(9)
        capture.cameraID = "canon-1"
        return capture
    }

    @Test(arguments: Tier.rows([SIGTERM, SIGHUP, SIGINT], gate: [SIGTERM, SIGINT]))
    func `restores the terminal after a signal`(signal: Int32) async throws {
        try await RunningServer.run { server in
            empty(server)
            try await blocking {
                let terminal = try PseudoTerminal(["connect", "--socket", server.socketPath])
                try terminal.waitForText("Which camera are you connecting?")
                #expect(!terminal.isCooked)
                kill(terminal.child, signal)
                let status = try terminal.wait()
                #expect(status == (signal == SIGINT ? 130 : 128 + signal))
                #expect(terminal.isCooked)
                #expect(terminal.text.contains("\u{1B}[?25h\u{1B}[?1049l"))
            }
        }
    }

    @Test func `Ctrl-Z restores the terminal, and fg redraws the screen`() async throws {
        try await RunningServer.run { server in
            empty(server)
            try await blocking {
                let terminal = try PseudoTerminal(["connect", "--socket", server.socketPath])
                try terminal.waitForText("Which camera are you connecting?")
                kill(terminal.child, SIGTSTP)
                try terminal.waitForStop()
                #expect(terminal.isCooked)
                kill(terminal.child, SIGCONT)
                try terminal.waitForText("Which camera are you connecting?")
                #expect(!terminal.isCooked)
                terminal.press("q")
                let status = try terminal.wait()
                #expect(status == 130)
                #expect(terminal.isCooked)
            }
        }
    }

    /// Each row contains options, environment variables, and whether they turn off animations.
    private static let motions: [([String], [String: String], Bool)] = [
        (["--still"], [:], true), ([], ["FRAMEFAST_REDUCE_MOTION": "1"], true), ([], [:], false),
    ]

    @Test(arguments: Tier.rows(motions, gate: 1))
    func `draws no animation with reduced motion`(
        flags: [String], environment: [String: String], isStill: Bool
    ) async throws {
        try await RunningServer.run { server in
            var camera = Self.ready
            camera.state = .connecting
            server.surface.change { script in
                script.status.cameras = [camera]
                script.status.conditions = [
                    ConditionReply(
                        code: "pairing-wanted", severity: .warning, since: Date(), about: .camera,
                        subject: camera.id.rawValue, name: camera.name, short: "EOS R6 needs pairing",
                        sentence: "The camera asks whether this computer may connect.", nextStep: nil)
                ]
            }
            try await blocking {
                let terminal = try PseudoTerminal(
                    ["connect", "--maker", "canon", "--usb", "--socket", server.socketPath] + flags,
                    environment: environment)
                try terminal.waitForText("Continue '")
                terminal.press("\r")
                try terminal.waitForText("Waiting for you to accept on the camera, 8")
                try terminal.waitForText("7 s left")
                let second = try terminal.waitForText("6 s left")
                // Between two values of the countdown, only a spinner could move. Without motion, the spinner
                // shows its first frame. On a busy computer, a moving spinner skips frames.
                let frames = Motion.frames(hasUnicode: true)
                #expect(frames.dropFirst().contains { second.contains($0) } != isStill)
                #expect(isStill || frames.count { second.contains($0) } > 1)
                terminal.press("q")
                #expect(try terminal.wait() == 130)
            }
        }
    }

    @Test(arguments: Tier.rows([["--plain"], []], gate: 1))
    func `uses numbered lists and line input with --plain or on a dumb terminal`(
        flags: [String]
    ) async throws {
        try await RunningServer.run { server in
            empty(server)
            try await blocking {
                let terminal = try PseudoTerminal(
                    ["connect", "--socket", server.socketPath] + flags,
                    environment: flags.isEmpty ? ["TERM": "dumb"] : [:])
                try terminal.waitForText("Another maker, or not sure")
                try terminal.waitForText("Number, or q to quit: ")
                terminal.press("7\n")
                try terminal.waitForText("Enter a number from 1 to 3.")
                terminal.press("2\n")
                try terminal.waitForText("Answer: ")
                terminal.press("\n")
                // The sample Fujifilm has no network steps, so the flow does not ask about the connection.
                try terminal.waitForText("Choose USB TETHER SHOOTING.")
                server.hub.publish(.camera(Self.wrongMode))
                try terminal.waitForText("Plug it in again.")
                server.hub.publish(.camera(Self.ready))
                try terminal.waitForText("Take a photo.")
                let status = try terminal.wait()
                #expect(status == 0)
                #expect(!terminal.text.contains("\u{1B}"))
            }
        }
    }

    @Test func `waits for the camera on a pipe and prints JSON`() async throws {
        try await RunningServer.run { server in
            empty(server)
            async let run = ProgramRun.of([
                "connect", "--json", "--usb", "--maker", "canon", "--session", "Wedding", "--mode", "offline",
                "--name", "a", "--socket", server.socketPath,
            ])
            // The client starts the session after it has requested its snapshot with `status`.
            try await server.waitForCall("startSession Wedding")
            server.surface.change { $0.status.cameras = [Self.ready] }
            server.hub.publish(.camera(Self.ready))
            let result = try await run
            #expect(result.status == 0, "\(result.errors)")
            let camera = try WireCoder.decode(CameraReply.self, from: Data(result.output.utf8))
            #expect(camera.name == "a")
            #expect(server.surface.calls.contains("renameCamera canon-1 a"))
        }
    }

    @Test func `exits immediately if the camera is already ready`() async throws {
        try await RunningServer.run { server in
            let run = try await ProgramRun.of(["connect", "--socket", server.socketPath])
            #expect(run.status == 0)
            #expect(run.output.contains("✓ Ready  studio-a"))
            let calls = server.surface.calls
            #expect(!calls.contains { $0.hasPrefix("startSession") })
        }
    }

    private static let errors: [([String], Int32, String)] = [
        (["connect"], 2, "Add --usb, --address ADDRESS or --find."),
        (
            ["connect", "--usb", "--maker", "cannon"], 2,
            "Use one of these makers: canon, fujifilm, or `other`."
        ),
        (["connect", "--usb", "--find"], 2, "cannot be combined"),
        (["connect", "--usb", "--mode", "offline"], 2, "--session"),
        (["connect", "--address", "1.2.3"], 2, "192.168.1.5"),
        (
            ["connect", "--usb", "--maker", "Other", "--timeout", "1"], 1,
            "cannot connect a camera within 1 s"
        ),
    ]

    @Test(arguments: Tier.rows(errors, gate: [errors[0], errors[1], errors[5]]))
    func `reports a missing or invalid option, and a timeout`(
        arguments: [String], status: Int32, text: String
    ) async throws {
        try await RunningServer.run { server in
            empty(server)
            let run = try await ProgramRun.of(arguments + ["--socket", server.socketPath])
            #expect(run.status == status)
            #expect(run.errors.contains(text), "\(run.errors)")
        }
    }

    @Test func `prints the camera's guidance on a timeout`() async throws {
        try await RunningServer.run { server in
            server.surface.change { $0.status.cameras = [Self.wrongMode] }
            let run = try await ProgramRun.of([
                // The timeout is long enough for the daemon's first reply.
                "connect", "--usb", "--timeout", "10", "--socket", server.socketPath,
            ])
            #expect(run.status == 4)
            #expect(run.errors.contains("1. Choose Photo Import in its USB menu. 2. Plug it in again."))
        }
    }

    @Test func `adds a single camera found on the network and waits`() async throws {
        try await RunningServer.run { server in
            empty(server)
            async let run = ProgramRun.of(["connect", "--find", "--name", "b", "--socket", server.socketPath])
            try await server.waitForCall("addCamera ptpip:192.168.1.2:15740")
            server.hub.publish(
                .camera(CameraReply(id: "b", name: "b", port: "ptpip:192.168.1.2:15740", state: .ready)))
            let status = try await run.status
            #expect(status == 0)
        }
    }
}
