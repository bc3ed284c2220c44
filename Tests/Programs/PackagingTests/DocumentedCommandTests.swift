import APIClient
import Foundation
import FrameFastAPI
import Repository
import SurfaceTestSupport
import TestRig
import Testing

/// Tests of the commands in README and docs. The build server runs the commands in `.ci/run`, and a booted
/// system those in `packaging/walkthrough`. This suite runs the remaining commands in a shell, with a running
/// service and a simulated camera.
@Suite(.programs(4)) struct DocumentedCommandTests {
    private static let root = Repository.root

    /// The API guide. A separate test runs its commands and compares the responses.
    private static let guide = "api-guide.md"

    /// README and docs.
    static let documents: [String] = {
        let names =
            (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: "docs").path)) ?? []
        return ["README.md"]
            + names.filter { $0.hasSuffix(".md") && $0 != guide }.sorted().map { "docs/\($0)" }
    }()

    /// The document whose commands need EOS cameras in a group.
    private static let remoteControl = "docs/remote-control.md"
    /// The document whose commands need the web page.
    private static let webPage = "docs/web.md"

    /// Scripts that run documented commands. This suite skips each command that one of these scripts runs
    /// with exactly the same text.
    private static let elsewhere = [".ci/run", "packaging/walkthrough"]
    /// Commands that take too long for this suite, with the file that runs each command.
    private static let named = ["scripts/package --output .": "Tests/ServiceRig/rig/installation.py"]
    /// The first words of commands that change the computer or need systemd. This suite never runs them.
    private static let foreign: Set = ["sudo", "systemctl", "journalctl", "loginctl", "apt", "lsblk", "ssh"]
    /// Commands that need a terminal. Each entry has a text on the command's screen, the key that ends the
    /// command, and the exit status.
    private static let screens = [
        "framefast connect": (sees: "Connect a camera", key: "C-c", status: 130),
        "framefast watch": (sees: "q quit", key: "q", status: 0),
    ]

    @Test(arguments: documents)
    func `every command in a document runs without an error`(document: String) async throws {
        let files = try Self.elsewhere.map { try DocumentFile($0).text().split(separator: "\n") }
        let commands = try DocumentedCommand.all(in: document).filter { command in
            Self.named[command.text] == nil && !files.contains { $0.contains { command.isRun(by: $0) } }
        }
        guard !commands.isEmpty else { return }
        let folder = try ScratchFolder()
        let nas = folder.path("nas")
        try FileManager.default.createDirectory(atPath: nas, withIntermediateDirectories: true)
        let cameras = try await Self.cameras(of: document, folder)
        let port = try ReservedPorts()
        defer { withExtendedLifetime(port) {} }
        let rig = try DaemonRig(
            cameras: cameras.map { ($0.name, $0.camera.address) },
            tables: ["[[destination]]", "name = \"nas\"", "kind = \"directory\"", "path = \"\(nas)\""]
                + Self.groups(of: document) + Self.page(of: document, port.first))
        try await rig.start()
        try await rig.status("every camera to be ready") { status in
            status.cameras.count == cameras.count && status.cameras.allSatisfy { $0.state == .ready }
        }
        if document == Self.webPage {
            // The service answers before it listens for browsers.
            try await eventually("the web page to be served") { () -> String? in
                try rig.client.call(\.web.devices).value.url
            }
            // The commands of docs/web.md pair devices with a session that another document starts.
            _ = try rig.client.call(\.sessions.start, .init(name: "Bangkok Wedding"))
        }
        try cameras[0].camera.command("shoot 2")
        let photos = try cameras[0].camera.truth().count
        try await rig.status("the camera's photos to be saved") { $0.captures.total == photos }
        for command in commands {
            let first = command.text.split(separator: " ").first.map(String.init) ?? ""
            guard !Self.foreign.contains(first) else {
                Issue.record(
                    "\(command.testDescription): no test runs the command; add it to packaging/walkthrough")
                continue
            }
            if let screen = Self.screens[command.text] {
                try await Self.runOnTerminal(command, screen, rig)
            } else {
                try await Self.run(command, rig, folder)
            }
        }
        try await rig.stop()
    }

    /// In a console block, the suite runs only the lines that start with a dollar sign.
    @Test(arguments: documents)
    func `each console block has commands after a dollar sign`(document: String) throws {
        let blocks = try DocumentedBlock.all(in: document).filter { $0.language == "console" }
        for block in blocks {
            #expect(!block.commands.isEmpty, "\(block.testDescription): no line starts with “$ ”")
        }
    }

    @Test func `the documents contain the expected commands`() throws {
        let all = try Self.documents.flatMap { try DocumentedCommand.all(in: $0) }.map(\.text)
        for command in [
            "scripts/demo --once", "scripts/test", "framefast watch", "sudo apt install ./framefast_*.deb",
            "framefast bulb studio-a 2s",
        ] {
            #expect(all.contains(command))
        }
        for (command, file) in Self.named {
            #expect(all.contains(command))
            // The file contains the command as a list of arguments.
            #expect(try DocumentFile(file).text().contains("\"package\", \"--output\""))
        }
    }

    /// Starts the simulated cameras that a document's commands name.
    private static func cameras(
        of document: String, _ folder: ScratchFolder
    ) async throws -> [(name: String, camera: Simulator)] {
        guard document == remoteControl else {
            return [("studio-a", try await Simulator(folder, ["--pairs", "--size", "60KB"]))]
        }
        var cameras: [(name: String, camera: Simulator)] = []
        for name in ["studio-a", "studio-b", "studio-c"] {
            let options = ["--maker", "canon", "--serial", name, "--size", "60KB"]
            cameras.append((name, try await Simulator(folder, name: name, options)))
        }
        return cameras
    }

    /// Returns the lines of the groups that a document configures for its commands.
    private static func groups(of document: String) throws -> [String] {
        guard document == remoteControl else { return [] }
        return try DocumentedBlock.all(in: document).filter {
            $0.language == "toml" && $0.lines.contains("[[group]]")
        }.flatMap(\.lines)
    }

    /// Returns the lines that turn on the web page for a document with its commands.
    private static func page(of document: String, _ port: Int) -> [String] {
        document == webPage ? ["[web]", "listen = \"127.0.0.1:\(port)\""] : []
    }

    /// The largest number of times that the test runs a command.
    private static let attemptsMax = 5

    /// Returns whether a command failed because a slow machine delayed the shutter release of a group of
    /// cameras, or the setting of a clock.
    private static func wasDelayed(_ command: String, _ output: String) -> Bool {
        if command.hasPrefix("framefast shoot --group") {
            return output.contains("busy at the scheduled time")
                || output.contains("did not respond in time")
        }
        return command.hasPrefix("framefast clock") && output.contains(#/clock \S+: \d{1,2} s behind/#)
    }

    private static func run(_ command: DocumentedCommand, _ rig: DaemonRig, _ folder: ScratchFolder)
        async throws
    {
        // Scripts run in the repository. Other commands run in the test's own folder.
        let place = command.text.hasPrefix("scripts/") ? "" : "cd '\(folder.url.path)' && "
        var (status, output, attempts) = (Int32(0), "", 0)
        repeat {
            (status, output) = try await RunningProgram.run(
                URL(filePath: "/bin/bash"), ["-c", place + command.text], in: folder,
                environment: environment(rig))
            attempts += 1
        } while status != 0 && wasDelayed(command.text, output) && attempts < attemptsMax
        // These commands may exit with 4 because of warnings about this computer.
        let warns = ["framefast status", "framefast doctor"].contains { command.text.hasPrefix($0) }
        #expect(status == 0 || warns && status == 4, "\(command.testDescription): \(status) \(output)")
    }

    private static func runOnTerminal(
        _ command: DocumentedCommand, _ screen: (sees: String, key: String, status: Int), _ rig: DaemonRig
    ) async throws {
        let terminal = try Tmux(columns: 80, rows: 24, environment: environment(rig))
        // A shell in tmux starts with its own PATH.
        try terminal.type("PATH=\(Programs.folder.path):$PATH; \(command.text); echo ended $?")
        try await terminal.waitForText(screen.sees)
        try terminal.press(screen.key)
        try await terminal.waitForText("ended \(screen.status)")
    }

    private static func environment(_ rig: DaemonRig) -> [String: String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return ["FRAMEFAST_SOCKET": rig.socket, "PATH": "\(Programs.folder.path):\(path)"]
    }
}
