public import Foundation
import Glibc
import Synchronization

/// A program that a test started; it is killed when the test is done with it, and when the test program dies.
public final class RunningProgram: Sendable {
    /// Everything that it prints on standard output and standard error.
    public let log: URL
    /// Its process id.
    public let pid: Int32
    private let end: End

    /// How it ended, as waitpid(2) has it.
    private final class End: Sendable {
        let raw = Mutex<Int32?>(nil)
        /// Left by then.
        let running = DispatchGroup()
    }

    /// What is killed is gone within milliseconds, unless the kernel writes for it.
    private static let killSeconds = 5

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - wrapper: Put before it, for example `["strace", "-f"]`.
    ///   - environment: Added to the test's own.
    public init(
        _ program: URL, _ arguments: [String], log: URL, wrapper: [String] = [],
        environment: [String: String] = [:]
    ) throws {
        self.log = log
        guard FileManager.default.isExecutableFile(atPath: program.path) else {
            throw Impatience(description: "cannot start \(program.path): it is not there")
        }
        // A test program that is killed cannot end what it started: the kernel does.
        let words = ["/usr/bin/setpriv", "--pdeathsig", "KILL", "--"] + wrapper + [program.path] + arguments
        let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0)=\($1)" }
        let pid = try Parent.shared.start(words, environment: all, log: log.path)
        let end = End()
        end.running.enter()
        (self.pid, self.end) = (pid, end)
        // Foundation's Process was seen to miss the end of a program that ran for a moment only.
        Thread {
            var raw: Int32 = 0
            while waitpid(pid, &raw, 0) < 0 && errno == EINTR {}
            end.raw.withLock { $0 = raw }
            end.running.leave()
        }.start()
    }

    deinit {
        signalAll(SIGKILL)
        // The folder that it writes in is removed next.
        _ = end.running.wait(timeout: .now() + .seconds(Self.killSeconds))
    }

    /// Whether it has not ended.
    public var isRunning: Bool { end.raw.withLock { $0 == nil } }
    /// Its exit status, or the number of the signal that ended it, negative.
    public var status: Int32 {
        let raw = end.raw.withLock { $0 } ?? 0
        return raw & 0x7f == 0 ? raw >> 8 & 0xff : -(raw & 0x7f)
    }
    /// What it has printed so far.
    public var output: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    /// Sends a signal.
    public func signal(_ number: Int32) {
        // Not after its end: the number may be another program's by then.
        if isRunning { kill(pid, number) }
    }

    /// Sends a signal to it and to what it started: a server's sessions go on without the server.
    public func signalAll(_ number: Int32) {
        let all = [pid] + Self.descendants(of: pid)
        if isRunning { for one in all { kill(one, number) } }
    }

    /// Waits for its end.
    ///
    /// - Returns: ``status``.
    @discardableResult
    public func ended(within seconds: Double = 15) async throws -> Int32 {
        try await eventually("process \(pid) to end; it printed: \(output.suffix(2000))", within: seconds) {
            isRunning ? nil : ()
        }
        return status
    }

    /// Runs a program to its end.
    public static func run(
        _ program: URL, _ arguments: [String], in folder: ScratchFolder, environment: [String: String] = [:],
        within seconds: Double = Patience.seconds
    ) async throws -> (status: Int32, output: String) {
        let log = folder.url.appending(path: "run-\(UUID().uuidString.prefix(8)).log")
        let running = try RunningProgram(program, arguments, log: log, environment: environment)
        let status = try await running.ended(within: seconds)
        return (status, running.output)
    }

    /// Whether a process still runs. One that has ended and waits to be reaped by its new parent does not.
    public static func isAlive(_ pid: Int32) -> Bool {
        guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else {
            return false
        }
        return stat.split(separator: ")").last.map { !$0.hasPrefix(" Z") && !$0.hasPrefix(" X") } ?? false
    }

    /// The most memory that a process has had at a time, in bytes.
    public static func peakBytes(of pid: Int32) throws -> UInt64 { try memory(of: pid, "VmHWM:") }

    /// The memory that a process has now, in bytes.
    public static func residentBytes(of pid: Int32) throws -> UInt64 { try memory(of: pid, "VmRSS:") }

    private static func memory(of pid: Int32, _ label: String) throws -> UInt64 {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(label) } ?? ""
        let words = line.split { $0 == " " || $0 == "\t" }
        guard words.count > 1, let kibibytes = UInt64(words[1]) else {
            throw Impatience(description: "no word about the memory of process \(pid)")
        }
        return kibibytes << 10
    }

    /// The program's direct children, for example the daemon's camera workers.
    public var children: [Int32] {
        Self.children(of: pid)
    }

    /// What a process has started, and what that has started.
    public static func descendants(of pid: Int32) -> [Int32] {
        children(of: pid).flatMap { [$0] + descendants(of: $0) }
    }

    private static func children(of pid: Int32) -> [Int32] {
        // Children belong to the thread that started them.
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        let all = threads.map {
            (try? String(contentsOfFile: "/proc/\(pid)/task/\($0)/children", encoding: .utf8)) ?? ""
        }
        return Array(Set(all.joined(separator: " ").split(separator: " ").compactMap { Int32($0) }))
            .sorted()
    }
}
