import Foundation
import Glibc

/// A scripted user at a terminal: a private tmux server with one window.
public final class Tmux {
    /// Whether tmux is installed.
    public static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/tmux")

    private let socket = "/tmp/ff-\(UUID().uuidString.prefix(8)).tmux"

    /// Starts a shell in a window.
    ///
    /// - Parameter environment: Additional variables for the shell.
    public init(columns: Int, rows: Int, environment: [String: String] = [:]) throws {
        let settings = ["LANG": "C.UTF-8"].merging(environment) { $1 }
        let pairs = settings.flatMap { ["-e", "\($0)=\($1)"] }
        try start(
            ["-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)"] + pairs + [
                "/bin/sh"
            ])
    }

    deinit {
        _ = try? run(["kill-server"])
        unlink(socket)
    }

    /// Returns the lines of the screen.
    public func screen() throws -> [String] {
        try run(["capture-pane", "-p"]).split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init)
    }

    /// Types a line and presses Enter.
    public func type(_ line: String) throws {
        try run(["send-keys", "-l", line])
        try press("Enter")
    }

    /// Presses a key by its name in tmux, for example `Enter`.
    public func press(_ key: String) throws { try run(["send-keys", key]) }

    /// Resizes the window.
    public func resize(columns: Int, rows: Int) throws {
        try run(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    }

    /// Returns a property of the window by tmux's name, for example `alternate_on`.
    public func flag(_ name: String) throws -> String {
        try run(["display-message", "-p", "#{\(name)}"]).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Returns the ID of the process that the shell runs, or `nil` if the shell is idle.
    public func child() throws -> Int32? {
        let shell = try flag("pane_pid")
        let children = try? String(contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)
        return children?.split(separator: " ").first.flatMap { Int32($0) }
    }

    /// Waits until the screen shows all of these texts.
    @discardableResult
    public func waitForText(_ texts: String..., within seconds: Double = 60) async throws -> [String] {
        var last: [String] = []
        do {
            return try await eventually("\(texts) on the screen", within: seconds) {
                last = try screen()
                let all = last.joined(separator: "\n")
                return texts.allSatisfy(all.contains) ? last : nil
            }
        } catch {
            throw WaitTimeout(description: "\(error); the screen:\n\(last.joined(separator: "\n"))")
        }
    }

    /// Returns whether the terminal is in the state for a shell: main screen, visible cursor, line mode and
    /// echo.
    public func isIntact() async throws -> Bool {
        guard try flag("alternate_on") == "0", try flag("cursor_flag") == "1" else { return false }
        try type(
            "clear; stty -a | tr -d ';' | tr ' ' '\\n' | grep -cx -e icanon -e echo -e icrnl -e ixon; echo looked"
        )
        return try await waitForText("\nlooked").contains("4")
    }

    /// Starts the tmux server, which keeps running. The server must not inherit pipes of other tests, because
    /// their readers would then never receive the end of the stream.
    private func start(_ arguments: [String]) throws {
        let closing = """
            for fd in /proc/self/fd/*; do fd=${fd##*/}; [ "$fd" -gt 2 ] && eval "exec $fd>&-"; done
            exec /usr/bin/tmux "$@"
            """
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", closing, "tmux", "-S", socket] + arguments
        process.environment = Self.environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        // Threads of a pool block signals, and programs inherit the mask. A shell needs unblocked signals.
        var (unblocked, own) = (sigset_t(), sigset_t())
        sigemptyset(&unblocked)
        pthread_sigmask(SIG_SETMASK, &unblocked, &own)
        defer { pthread_sigmask(SIG_SETMASK, &own, nil) }
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw WaitTimeout(description: "tmux does not start") }
    }

    private static let environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "xterm-256color"]

    @discardableResult
    private func run(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/tmux")
        process.arguments = ["-S", socket] + arguments
        process.environment = Self.environment
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw WaitTimeout(description: "tmux \(arguments): \(String(decoding: text, as: UTF8.self))")
        }
        return String(decoding: text, as: UTF8.self)
    }
}
