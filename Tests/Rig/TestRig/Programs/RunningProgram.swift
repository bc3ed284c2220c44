public import Foundation
import Glibc
import Synchronization
import SystemIO

/// A program that a test started. The program is killed when the object is released or the test program ends.
public final class RunningProgram: Sendable {
    /// The file with the program's standard output and standard error.
    public let log: URL
    /// The process ID.
    public let pid: Int32
    private let termination: Termination

    /// The program's exit status, in the format of waitpid(2).
    private final class Termination: Sendable {
        let raw = Mutex<Int32?>(nil)
        /// A dispatch group that is empty after the program has ended.
        let running = DispatchGroup()
    }

    /// Relaxed time limits of the product, for tests that do not check these limits.
    ///
    /// On a busy computer, a worker's heartbeat is late, and uploads wait for captures. A test that checks
    /// one of these limits overrides the variable of the limit.
    private static let patientLimits = [
        "FRAMEFAST_SIGN_OF_LIFE_FACTOR": "4", "FRAMEFAST_UPLOADS_YIELD": "0",
    ]

    /// The maximum time to wait for the end of a killed program, in seconds. A program usually ends within
    /// milliseconds, but not while the kernel is writing the program's data.
    private static let killSeconds = 30

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - wrapper: The command in front of the program, for example `["strace", "-f"]`.
    ///   - environment: Variables to add to the test program's environment.
    public init(
        _ program: URL, _ arguments: [String], log: URL, wrapper: [String] = [],
        environment: [String: String] = [:]
    ) throws {
        self.log = log
        guard FileManager.default.isExecutableFile(atPath: program.path) else {
            throw WaitTimeout(description: "cannot start \(program.path): the file is missing")
        }
        // If the test program is killed, the kernel kills its children.
        let isCamera = program.lastPathComponent == "framefast-simcam"
        let words =
            ["/usr/bin/setpriv", "--pdeathsig", "KILL", "--"] + (isCamera ? CameraPriority.wrapper : [])
            + wrapper
            + [program.path] + arguments
        let all = ProcessInfo.processInfo.environment.merging(Self.patientLimits) { $1 }
            .merging(environment) { $1 }.map { "\($0)=\($1)" }
        let pid = try ProgramLauncher.shared.start(words, environment: all, log: log.path)
        let termination = Termination()
        termination.running.enter()
        (self.pid, self.termination) = (pid, termination)
        // A thread waits for the end, because Foundation's Process can miss the end of a very short-lived
        // program.
        Thread {
            var raw: Int32 = 0
            _ = try? IO.retrying { waitpid(pid, &raw, 0) }
            termination.raw.withLock { $0 = raw }
            termination.running.leave()
        }.start()
    }

    deinit {
        signalAll(SIGKILL)
        // Waits for the end, because the caller deletes the program's folder next.
        _ = termination.running.wait(timeout: .now() + .seconds(Self.killSeconds))
    }

    /// Whether the program is running.
    public var isRunning: Bool { termination.raw.withLock { $0 == nil } }
    /// The exit status, or the negated number of the signal that ended the program; 0 while the program runs.
    public var status: Int32 {
        let raw = termination.raw.withLock { $0 } ?? 0
        return raw & 0x7f == 0 ? raw >> 8 & 0xff : -(raw & 0x7f)
    }
    /// The output so far.
    public var output: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    /// Sends a signal.
    public func signal(_ number: Int32) {
        // Another process may have the same ID after the program has ended.
        if isRunning { kill(pid, number) }
    }

    /// Sends a signal to the running program and its descendants, because a server's sessions outlive it.
    public func signalAll(_ number: Int32) {
        let all = [pid] + Self.descendants(of: pid)
        if isRunning { for one in all { kill(one, number) } }
    }

    /// Waits until the program ends.
    ///
    /// - Returns: ``status``.
    @discardableResult
    public func waitUntilExit(within seconds: Double = 60) async throws -> Int32 {
        try await eventually("process \(pid) to end; it printed: \(output.suffix(2000))", within: seconds) {
            isRunning ? nil : ()
        }
        return status
    }

    /// Runs a program to its end and returns its exit status and output.
    public static func run(
        _ program: URL, _ arguments: [String], in folder: ScratchFolder, environment: [String: String] = [:],
        within seconds: Double = 60
    ) async throws -> (status: Int32, output: String) {
        let log = folder.url.appending(path: "run-\(UUID().uuidString.prefix(8)).log")
        let running = try RunningProgram(program, arguments, log: log, environment: environment)
        let status = try await running.waitUntilExit(within: seconds)
        return (status, running.output)
    }

    /// Returns whether a process runs. Returns `false` for a zombie.
    public static func isAlive(_ pid: Int32) -> Bool {
        guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else {
            return false
        }
        return stat.split(separator: ")").last.map { !$0.hasPrefix(" Z") && !$0.hasPrefix(" X") } ?? false
    }

    /// Returns the peak resident memory of a process, in bytes.
    public static func peakBytes(of pid: Int32) throws -> UInt64 { try memory(of: pid, "VmHWM:") }

    /// Returns the resident memory of a process, in bytes.
    public static func residentBytes(of pid: Int32) throws -> UInt64 { try memory(of: pid, "VmRSS:") }

    private static func memory(of pid: Int32, _ label: String) throws -> UInt64 {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(label) } ?? ""
        let words = line.split { $0 == " " || $0 == "\t" }
        guard words.count > 1, let kibibytes = UInt64(words[1]) else {
            throw WaitTimeout(description: "cannot read the memory of process \(pid)")
        }
        return kibibytes << 10
    }

    /// The direct children of the program, for example the daemon's camera workers.
    public var children: [Int32] {
        Self.children(of: pid)
    }

    /// Returns the descendants of a process.
    public static func descendants(of pid: Int32) -> [Int32] {
        children(of: pid).flatMap { [$0] + descendants(of: $0) }
    }

    private static func children(of pid: Int32) -> [Int32] {
        // /proc lists children under the thread that started them.
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        let all = threads.map {
            (try? String(contentsOfFile: "/proc/\(pid)/task/\($0)/children", encoding: .utf8)) ?? ""
        }
        return Array(Set(all.joined(separator: " ").split(separator: " ").compactMap { Int32($0) }))
            .sorted()
    }
}
