import Foundation
import Glibc

/// A person at a terminal that can be looked at: a tmux server of the test's own, with one window.
public final class Tmux {
    /// Whether it can be used here.
    public static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/tmux")

    private let socket = "/tmp/ff-\(UUID().uuidString.prefix(8)).tmux"

    /// Starts a shell in a window.
    ///
    /// - Parameter environment: Added to what a shell needs.
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

    /// What stands on the screen, a line each.
    public func screen() throws -> [String] {
        try run(["capture-pane", "-p"]).split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init)
    }

    /// Types a line, with its end.
    public func type(_ line: String) throws {
        try run(["send-keys", "-l", line])
        try press("Enter")
    }

    /// Presses a key, by tmux's name for it.
    public func press(_ key: String) throws { try run(["send-keys", key]) }

    /// Makes the window another size.
    public func resize(columns: Int, rows: Int) throws {
        try run(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    }

    /// What tmux knows of the window, for example `alternate_on`.
    public func flag(_ name: String) throws -> String {
        try run(["display-message", "-p", "#{\(name)}"]).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The process that the shell runs; `nil` while it runs none.
    public func child() throws -> Int32? {
        let shell = try flag("pane_pid")
        let children = try? String(contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)
        return children?.split(separator: " ").first.flatMap { Int32($0) }
    }

    /// Waits until the screen shows all of these.
    @discardableResult
    public func see(_ texts: String..., within seconds: Double = Patience.seconds) async throws -> [String] {
        var last: [String] = []
        do {
            return try await eventually("\(texts) on the screen", within: seconds) {
                last = try screen()
                let all = last.joined(separator: "\n")
                return texts.allSatisfy(all.contains) ? last : nil
            }
        } catch {
            throw Impatience(description: "\(error); the screen:\n\(last.joined(separator: "\n"))")
        }
    }

    /// Whether the terminal is as a shell wants it: its own screen, a cursor, lines and echo.
    public func isIntact() async throws -> Bool {
        guard try flag("alternate_on") == "0", try flag("cursor_flag") == "1" else { return false }
        try type(
            "clear; stty -a | tr -d ';' | tr ' ' '\\n' | grep -cx -e icanon -e echo -e icrnl -e ixon; echo looked"
        )
        return try await see("\nlooked").contains("4")
    }

    /// Starts the server, which stays. Pipes of other tests, held open there, would never end for those who read
    /// them: it gets none.
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
        // Threads of a pool block signals, and programs inherit that: a shell does not.
        var (none, own) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &own)
        defer { pthread_sigmask(SIG_SETMASK, &own, nil) }
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Impatience(description: "tmux does not start") }
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
            throw Impatience(description: "tmux \(arguments): \(String(decoding: text, as: UTF8.self))")
        }
        return String(decoding: text, as: UTF8.self)
    }
}
