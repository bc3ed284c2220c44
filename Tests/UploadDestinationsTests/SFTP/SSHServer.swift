import Foundation
import Glibc
import Synchronization
import UploadDestinations

/// A real OpenSSH server on loopback with keys and a configuration of its own, for one test.
final class SSHServer: Sendable {
    static let program = "/usr/sbin/sshd"
    static let isInstalled = access(program, X_OK) == 0

    let folder: URL
    /// What clients see as their home folder.
    var home: URL { folder.appending(path: "home") }
    let port: UInt16
    private let process = Mutex<pid_t?>(nil)

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(
            path: "ffssh-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "home"), withIntermediateDirectories: true)
        port = try Self.freePort()
        try Self.makeKey(folder.appending(path: "host_key"))
        try Self.makeKey(folder.appending(path: "user_key"))
        try FileManager.default.copyItem(
            at: folder.appending(path: "user_key.pub"), to: folder.appending(path: "authorized_keys"))
        try writeKnownHosts(key: "host_key")
        if getuid() == 0 { mkdir("/run/sshd", 0o755) }
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts it and waits until it takes connections.
    ///
    /// - Parameter options: Further lines of its configuration.
    func start(
        hostKey: String = "host_key", subsystem: String? = "internal-sftp -d HOME", options: String = ""
    ) throws {
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
        let server = try Self.spawn(
            Self.program, ["-D", "-f", file.path, "-E", folder.appending(path: "sshd.log").path])
        process.withLock { $0 = server }
        try Self.waitUntilItListens(port)
    }

    /// Kills the server and the sessions that it started.
    func stop() {
        guard let server = process.withLock({ $0 }) else { return }
        // A session is a child of the listening process.
        let sessions = Self.children(of: server)
        kill(server, SIGKILL)
        for session in sessions { kill(session, SIGKILL) }
        process.withLock { $0 = nil }
        waitpid(server, nil, 0)
        while Self.isListening(port) { usleep(10_000) }
    }

    /// Kills its sessions only; new ones are taken.
    func killSessions() { signalSessions(SIGKILL) }

    /// Stops its sessions, as a server that hangs.
    func freezeSessions() { signalSessions(SIGSTOP) }

    private func signalSessions(_ signal: Int32) {
        guard let server = process.withLock({ $0 }) else { return }
        for session in Self.children(of: server) { kill(session, signal) }
    }

    /// Settings that reach it.
    func settings(folder: String? = nil, key: String = "user_key", stallSeconds: Int = 30) -> SFTPSettings {
        SFTPSettings(
            name: "nas", host: "127.0.0.1", port: Int(port), folder: folder ?? home.path + "/photos",
            identityFile: self.folder.path + "/" + key, knownHostsFile: self.folder.path + "/known_hosts",
            configFile: "none", home: self.folder.path, connectTimeoutSeconds: 5, stallSeconds: stallSeconds)
    }

    func writeKnownHosts(key: String?) throws {
        let line = try key.map {
            "[127.0.0.1]:\(port) "
                + (try String(contentsOf: folder.appending(path: "\($0).pub"), encoding: .utf8))
        }
        try Data((line ?? "").utf8).write(to: folder.appending(path: "known_hosts"))
    }

    func makeKey(_ name: String) throws { try Self.makeKey(folder.appending(path: name)) }

    // MARK: small tools

    private static func makeKey(_ file: URL) throws {
        try run("/usr/bin/ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", file.path])
    }

    private static func run(_ program: String, _ arguments: [String]) throws {
        var status: Int32 = 0
        guard waitpid(try spawn(program, arguments), &status, 0) > 0, status == 0 else {
            throw CocoaError(.executableLoad)
        }
    }

    /// Starts a program; `Foundation.Process` needs a run loop to notice its end, which tests do not have.
    private static func spawn(_ program: String, _ arguments: [String]) throws -> pid_t {
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var pid: pid_t = 0
        guard posix_spawn(&pid, program, nil, nil, words, environ) == 0 else {
            throw CocoaError(.executableLoad)
        }
        return pid
    }

    static func children(of parent: pid_t) -> [pid_t] {
        let text =
            (try? String(contentsOfFile: "/proc/\(parent)/task/\(parent)/children", encoding: .utf8)) ?? ""
        let direct = text.split(separator: " ").compactMap { pid_t($0) }
        return direct.flatMap { [$0] + children(of: $0) }
    }

    static func freePort() throws -> UInt16 {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let ok = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard ok else { throw CocoaError(.featureUnsupported) }
        return UInt16(bigEndian: address.sin_port)
    }

    static func waitUntilItListens(_ port: UInt16) throws {
        for _ in 0..<400 {
            if isListening(port) { return }
            usleep(25_000)
        }
        throw CocoaError(.fileReadUnknown)
    }

    private static func isListening(_ port: UInt16) -> Bool {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = loopback(port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        sockaddr_in(
            sin_family: sa_family_t(AF_INET), sin_port: port.bigEndian,
            sin_addr: in_addr(s_addr: UInt32(0x7f00_0001).bigEndian), sin_zero: (0, 0, 0, 0, 0, 0, 0, 0))
    }
}
