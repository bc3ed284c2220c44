public import Foundation
import Glibc
import Synchronization

/// A program that a test started; it is killed when the test is done with it, and when the test program dies.
public final class RunningProgram: Sendable {
    private let process = Process()
    /// Everything that it prints on standard output and standard error.
    public let log: URL

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
        if !FileManager.default.fileExists(atPath: log.path) {
            _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        }
        let output = try FileHandle(forWritingTo: log)
        output.seekToEndOfFile()
        guard FileManager.default.isExecutableFile(atPath: program.path) else {
            throw Impatience(description: "cannot start \(program.path): it is not there")
        }
        // A test program that is killed cannot end what it started: the kernel does.
        process.executableURL = URL(filePath: "/usr/bin/setpriv")
        process.arguments = ["--pdeathsig", "KILL", "--"] + wrapper + [program.path] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try Parent.shared.start(process)
    }

    /// Starts processes on one thread that lives as long as the test program: PR_SET_PDEATHSIG means the end of the
    /// thread that started the child (prctl(2)), and threads of a pool come and go.
    private final class Parent: Sendable {
        static let shared = Parent()
        private let wanted = Mutex<[@Sendable () -> Void]>([])
        private let bell = DispatchSemaphore(value: 0)

        private init() {
            Thread { [self] in
                while true {
                    bell.wait()
                    wanted.withLock { $0.removeFirst() }()
                }
            }.start()
        }

        func start(_ process: Process) throws {
            let result = Mutex<Result<Void, any Error>>(.success(()))
            let isDone = DispatchSemaphore(value: 0)
            wanted.withLock { wanted in
                wanted.append {
                    result.withLock { $0 = Result { try process.run() } }
                    isDone.signal()
                }
            }
            bell.signal()
            isDone.wait()
            try result.withLock { try $0.get() }
        }
    }

    deinit {
        if process.isRunning { kill(pid, SIGKILL) }
    }

    /// Its process id.
    public var pid: Int32 { process.processIdentifier }
    /// Whether it has not ended.
    public var isRunning: Bool { process.isRunning }
    /// Its exit status, or the number of the signal that ended it, negative.
    public var status: Int32 {
        process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }
    /// What it has printed so far.
    public var output: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    /// Sends a signal.
    public func signal(_ number: Int32) { kill(pid, number) }

    /// Waits for its end.
    ///
    /// - Returns: ``status``.
    @discardableResult
    public func ended(within seconds: Double = 15) async throws -> Int32 {
        try await eventually("process \(pid) to end; it printed: \(output.suffix(2000))", within: seconds) {
            process.isRunning ? nil : ()
        }
        return status
    }

    /// Runs a program to its end.
    public static func run(
        _ program: URL, _ arguments: [String], in folder: ScratchFolder, environment: [String: String] = [:],
        within seconds: Double = 60
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

    /// The program's direct children, for example the daemon's camera workers.
    public var children: [Int32] {
        let path = "/proc/\(pid)/task/\(pid)/children"
        let own = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        // Children belong to the thread that started them.
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        let all = threads.map {
            (try? String(contentsOfFile: "/proc/\(pid)/task/\($0)/children", encoding: .utf8)) ?? ""
        }
        return Array(Set(([own] + all).joined(separator: " ").split(separator: " ").compactMap { Int32($0) }))
            .sorted()
    }
}
