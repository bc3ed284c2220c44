import Foundation
import Glibc
import TestRig

/// A program on a pseudo terminal. Tests read the output and press keys.
///
/// Each wait blocks the thread for at most ``patienceSeconds``.
final class PseudoTerminal: @unchecked Sendable {
    // Safe because a test uses the terminal from one thread at a time.

    /// The longest wait for output or for the program's exit, in seconds of `LivedTime`.
    static let patienceSeconds = 60.0

    private let master: Int32
    private let slave: Int32
    let child: pid_t
    private var output: [UInt8] = []
    private var isReaped = false

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    init(
        _ arguments: [String], program: String = ProgramRun.program, columns: UInt16 = 80, rows: UInt16 = 24,
        environment: [String: String] = [:]
    ) throws {
        // These calls replace posix_openpt, unlockpt and ptsname, which Swift's Glibc module does not export.
        let (setLock, getNumber) = (UInt(0x4004_5431), UInt(0x8004_5430))
        var (lock, number): (Int32, Int32) = (0, -1)
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        _ = ioctl(master, setLock, &lock)
        _ = ioctl(master, getNumber, &number)
        let name = "/dev/pts/\(number)"
        slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that a session leader opens becomes its controlling terminal.
        posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        // Closes the pipes inherited from other tests. Otherwise, the readers of these pipes would never
        // reach the end of the input.
        for descriptor in Int32(3)..<4096 { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        let newSession: Int16 = 0x80
        posix_spawnattr_setflags(&attributes, newSession)
        let settings = ["LANG": "C.UTF-8", "TERM": "xterm-256color"].merging(environment) { $1 }
        var argv = ([program] + arguments).map { strdup($0) } + [nil]
        var envp = settings.map { strdup("\($0)=\($1)") } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var pid = pid_t()
        let code = posix_spawn(&pid, program, &actions, &attributes, &argv, &envp)
        child = pid
        guard code == 0, slave >= 0 else { throw Failure(description: "cannot start the program: \(code)") }
    }

    deinit {
        if !isReaped {
            kill(child, SIGKILL)
            var status: Int32 = 0
            waitpid(child, &status, 0)
        }
        close(master)
        close(slave)
    }

    /// The output since the last match of ``waitForText(_:)``.
    var text: String { String(decoding: output, as: UTF8.self) }

    /// Waits until the program writes a text, and discards the output up to and including the text.
    ///
    /// - Returns: The output before the text.
    @discardableResult
    func waitForText(_ text: String) throws -> String { try waitForText(oneOf: [text]).before }

    /// Waits until the program writes one of these texts, and discards the output up to and including the
    /// first of them.
    ///
    /// - Returns: The output before the text, and the text.
    func waitForText(oneOf texts: [String]) throws -> (before: String, found: String) {
        let limit = WaitLimit(seconds: Self.patienceSeconds)
        while true {
            let isLast = limit.isOver
            let matches = texts.compactMap { text in
                Data(output).range(of: Data(text.utf8)).map { (text: text, range: $0) }
            }
            if let first = matches.min(by: { $0.range.lowerBound < $1.range.lowerBound }) {
                defer { output.removeSubrange(..<first.range.upperBound) }
                return (String(decoding: output[..<first.range.lowerBound], as: UTF8.self), first.text)
            }
            guard !isLast, readSome() else {
                throw Failure(description: "waited for \(texts), saw: \(self.text.debugDescription)")
            }
        }
    }

    func press(_ keys: String) {
        let bytes = Array(keys.utf8)
        _ = write(master, bytes, bytes.count)
    }

    /// Whether the terminal has line editing and echo, as in a shell.
    var isCooked: Bool {
        var settings = termios()
        tcgetattr(slave, &settings)
        let flags = tcflag_t(ICANON | ECHO)
        return settings.c_lflag & flags == flags && settings.c_iflag & tcflag_t(ICRNL) != 0
    }

    /// Waits until the program exits.
    ///
    /// - Returns: The exit status, or 128 plus the signal that ended the program.
    func wait() throws -> Int32 {
        var status: Int32 = 0
        let limit = WaitLimit(seconds: Self.patienceSeconds)
        while waitpid(child, &status, WNOHANG) == 0 {
            _ = readSome(milliseconds: 20)
            guard !limit.isOver else {
                throw Failure(description: "did not end: \(text.debugDescription)")
            }
        }
        isReaped = true
        while readSome(milliseconds: 0) {}
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    /// Waits until the program is suspended, as by Ctrl-Z.
    func waitForStop() throws {
        var status: Int32 = 0
        let limit = WaitLimit(seconds: Self.patienceSeconds)
        while waitpid(child, &status, WUNTRACED | WNOHANG) == 0, !limit.isOver { usleep(20_000) }
        guard status & 0xFF == 0x7F else { throw Failure(description: "did not stop") }
    }

    private func readSome(milliseconds: Int32 = 1000) -> Bool {
        var descriptor = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        let ready = poll(&descriptor, 1, milliseconds)
        if ready == 0 { return milliseconds >= 1000 }
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = read(master, &buffer, buffer.count)
        guard count > 0 else { return false }
        output += buffer[..<count]
        return true
    }
}
