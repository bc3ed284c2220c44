import Foundation
import Glibc
import Synchronization
import TestRig
import Testing

@testable import UploadDestinations

/// An OpenSSH server on loopback for one test, with its own keys and configuration.
final class SSHServer: Sendable {
    static let isInstalled = FileManager.default.isExecutableFile(atPath: TestServers.sshd.path)

    private let scratch: ScratchFolder
    var folder: URL { scratch.url }
    /// The home folder for clients.
    var home: URL { folder.appending(path: "home") }
    /// The server's port. It stays reserved while the server is down.
    private let ports: ReservedPorts
    var port: UInt16 { UInt16(ports.first) }
    private let process = Mutex<RunningProgram?>(nil)

    init() async throws {
        scratch = try ScratchFolder()
        ports = try ReservedPorts()
        try FileManager.default.createDirectory(
            at: scratch.url.appending(path: "home"), withIntermediateDirectories: true)
        try await makeKey("host_key")
        try await makeKey("user_key")
        try FileManager.default.copyItem(
            at: folder.appending(path: "user_key.pub"), to: folder.appending(path: "authorized_keys"))
        try writeKnownHosts(key: "host_key")
    }

    deinit { stop() }

    /// Starts the server and waits until it accepts connections.
    ///
    /// - Parameter options: Additional lines of the server's configuration.
    func start(
        hostKey: String = "host_key", subsystem: String? = "internal-sftp -d HOME", options: String = ""
    ) async throws {
        let configuration = """
            Port \(port)
            ListenAddress 127.0.0.1
            HostKey \(folder.path)/\(hostKey)
            PidFile none
            AuthorizedKeysFile \(folder.path)/authorized_keys
            UsePAM no
            StrictModes no
            PasswordAuthentication no
            KbdInteractiveAuthentication no
            \(options)
            \(subsystem.map { "Subsystem sftp " + $0.replacing("HOME", with: home.path) } ?? "")
            """
        let file = folder.appending(path: "sshd_config")
        try Data(configuration.utf8).write(to: file)
        let server = try RunningProgram(
            TestServers.sshd, ["-D", "-e", "-f", file.path], log: folder.appending(path: "sshd.log"),
            environment: try ServerPrograms.sshdEnvironment(in: folder))
        process.withLock { $0 = server }
        try await server.waitUntilListening(on: ports.first, "sshd")
    }

    /// Returns the command that starts OpenSSH's SFTP server with faults for some requests. See
    /// sftp_faults.py.
    func subsystem(faults: String...) -> String {
        let program = TestServers.rig.appending(path: "sftp_faults.py")
        let words =
            [TestServers.python.path, program.path, "/usr/lib/openssh/sftp-server", folder.path] + faults
        return words.joined(separator: " ")
    }

    /// The time limit for the end of a killed server, in seconds.
    private static let stopSeconds = 60

    /// Kills the server and its sessions.
    func stop() {
        guard let server = process.withLock({ $0.take() }) else { return }
        server.signalAll(SIGKILL)
        let end = ContinuousClock.now + .seconds(Self.stopSeconds)
        while ListeningSockets.exist(on: ports.first) {
            guard ContinuousClock.now < end else {
                Issue.record(
                    "waited \(Self.stopSeconds) s for the end of sshd, process \(server.pid), after SIGKILL")
                return
            }
            usleep(10_000)
        }
    }

    /// Kills only the sessions. The server accepts new sessions.
    func killSessions() { signalSessions(SIGKILL) }

    /// Suspends the running sessions, which then do not respond. The server accepts new sessions.
    func freezeSessions() { signalSessions(SIGSTOP) }

    private func signalSessions(_ signal: Int32) {
        guard let server = process.withLock({ $0 }) else { return }
        for session in RunningProgram.descendants(of: server.pid) { kill(session, signal) }
    }

    /// Returns settings for a connection to the server.
    func settings(
        folder: String? = nil, key: String = "user_key", stallSeconds: Int = TestLimits.stallSeconds,
        connectSeconds: Int = TestLimits.connectSeconds
    )
        -> SFTPSettings
    {
        SFTPSettings(
            name: "nas", host: "127.0.0.1", port: Int(port), folder: folder ?? home.path + "/photos",
            identityFile: self.folder.path + "/" + key, knownHostsFile: self.folder.path + "/known_hosts",
            configFile: "none", home: self.folder.path, connectTimeoutSeconds: connectSeconds,
            stallSeconds: stallSeconds)
    }

    func writeKnownHosts(key: String?) throws {
        let line = try key.map {
            "* " + (try String(contentsOf: folder.appending(path: "\($0).pub"), encoding: .utf8))
        }
        try Data((line ?? "").utf8).write(to: folder.appending(path: "known_hosts"))
    }

    func makeKey(_ name: String) async throws {
        let run = try await RunningProgram.run(
            URL(filePath: "/usr/bin/ssh-keygen"),
            ["-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", scratch.path(name)], in: scratch)
        guard run.status == 0 else { throw WaitTimeout(description: "cannot make a key: \(run.output)") }
    }
}
