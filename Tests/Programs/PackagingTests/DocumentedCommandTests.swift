import Foundation
import FrameFastAPI
import Repository
import SurfaceTestSupport
import TestRig
import Testing

/// Everything that README and docs tell a person to type is run: by the build server (`.ci/run`), in a booted system
/// (`packaging/walkthrough`), or here, by a shell, with a running service and a simulated camera.
@Suite(.serialized) struct DocumentedCommandTests {
    private static let root = Repository.root

    /// The guide to the API has a test of its own, which also compares the answers.
    private static let guide = "api-guide.md"

    /// README and docs.
    static let documents: [String] = {
        let names =
            (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: "docs").path)) ?? []
        return ["README.md"]
            + names.filter { $0.hasSuffix(".md") && $0 != guide }.sorted().map { "docs/\($0)" }
    }()

    /// Files that run commands elsewhere, letter by letter.
    private static let elsewhere = [".ci/run", "packaging/walkthrough"]
    /// What takes longer than a test may, and the file that runs it.
    private static let named = ["scripts/package --output .": "Tests/ServiceRig/rig/installation.py"]
    /// First words of what changes the computer, or needs systemd: never run here.
    private static let foreign: Set = ["sudo", "systemctl", "journalctl", "loginctl", "apt", "lsblk", "ssh"]
    /// What needs a terminal: what is seen there, the key that leaves it, and the exit status.
    private static let screens = [
        "framefast connect": (sees: "Connect a camera", key: "C-c", status: 130),
        "framefast watch": (sees: "q quit", key: "q", status: 0),
    ]

    @Test(arguments: documents)
    func `what a document tells a person to type is run`(document: String) async throws {
        let files = try Self.elsewhere.map { try DocumentFile($0).text().split(separator: "\n") }
        let commands = try DocumentedCommand.all(in: document).filter { command in
            Self.named[command.text] == nil && !files.contains { $0.contains { command.isRun(by: $0) } }
        }
        guard !commands.isEmpty else { return }
        let folder = try ScratchFolder()
        let nas = folder.path("nas")
        try FileManager.default.createDirectory(atPath: nas, withIntermediateDirectories: true)
        let camera = try await Simulator(folder, ["--pairs", "--size", "60KB"])
        let rig = try DaemonRig(
            cameras: [("studio-a", camera.address)],
            tables: [
                "[[destination]]", "name = \"nas\"", "kind = \"directory\"", "path = \"\(nas)\"",
                "[[group]]", "name = \"ring\"", "cameras = [\"studio-a\"]",
            ])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot 2")
        try await rig.status("its photos to be there") { $0.captures.total == 4 }
        for command in commands {
            let first = command.text.split(separator: " ").first.map(String.init) ?? ""
            guard !Self.foreign.contains(first) else {
                Issue.record("\(command.testDescription): nobody runs it; add it to packaging/walkthrough")
                continue
            }
            if let screen = Self.screens[command.text] {
                try await Self.runOnTerminal(command, screen, rig)
            } else {
                try await Self.run(command, rig, folder)
            }
        }
    }

    @Test func `the documents have commands, and the parts that run elsewhere are among them`() throws {
        let all = try Self.documents.flatMap { try DocumentedCommand.all(in: $0) }.map(\.text)
        for command in [
            "scripts/demo --once", "scripts/test", "framefast watch", "sudo apt install ./framefast_*.deb",
        ] {
            #expect(all.contains(command))
        }
        for (command, file) in Self.named {
            #expect(all.contains(command))
            // A list of words there, not a line for a shell.
            #expect(try DocumentFile(file).text().contains("\"package\", \"--output\""))
        }
    }

    private static func run(_ command: DocumentedCommand, _ rig: DaemonRig, _ folder: ScratchFolder)
        async throws
    {
        let (status, output) = try await RunningProgram.run(
            URL(filePath: "/bin/bash"), ["-c", command.text], in: folder, environment: environment(rig))
        // Warnings of this computer are none of the document's.
        let warns = ["framefast status", "framefast doctor"].contains { command.text.hasPrefix($0) }
        #expect(status == 0 || warns && status == 4, "\(command.testDescription): \(status) \(output)")
    }

    private static func runOnTerminal(
        _ command: DocumentedCommand, _ screen: (sees: String, key: String, status: Int), _ rig: DaemonRig
    ) async throws {
        let terminal = try Tmux(columns: 80, rows: 24, environment: environment(rig))
        // A shell of tmux's begins with a PATH of its own.
        try terminal.type("PATH=\(Programs.folder.path):$PATH; \(command.text); echo ended $?")
        try await terminal.see(screen.sees)
        try terminal.press(screen.key)
        try await terminal.see("ended \(screen.status)")
    }

    private static func environment(_ rig: DaemonRig) -> [String: String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return ["FRAMEFAST_SOCKET": rig.socket, "PATH": "\(Programs.folder.path):\(path)"]
    }
}
