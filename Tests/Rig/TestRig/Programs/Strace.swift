import Foundation
import Glibc

/// strace attached to a running program, to let one of its system calls fail or end it.
public final class Strace {
    private let tracer: RunningProgram
    private let output: URL

    /// A system call as the trace shows it.
    public struct Call: Hashable, Sendable {
        /// The thread that made it.
        public var thread: Int
        /// Name, arguments with the files behind descriptors, result.
        public var text: String
        /// Whether strace interfered with it.
        public var isInjected: Bool
    }

    /// Something that is done to calls.
    public struct Injection: Hashable, Sendable {
        var calls: String
        var deed: String

        /// - Parameters:
        ///   - calls: A set of calls, as `-e trace=` takes it.
        ///   - deed: What to do, as `-e inject=` takes it behind the set, for example `signal=KILL:when=3`. `when` counts the
        ///     calls of each thread for itself.
        public init(_ calls: String, _ deed: String) {
            self.calls = calls
            self.deed = deed
        }
    }

    /// Whether strace is installed and may trace other processes here.
    public static let isPossible: Bool = {
        let probe = Process()
        probe.executableURL = URL(filePath: "/usr/bin/env")
        probe.arguments = ["strace", "-o", "/dev/null", "true"]
        probe.standardError = FileHandle.nullDevice
        guard (try? probe.run()) != nil else { return false }
        probe.waitUntilExit()
        return probe.terminationStatus == 0
    }()

    /// Attaches to all threads of `pid`, or to the one thread of this number, and returns when it has.
    ///
    /// - Parameters:
    ///   - calls: A set of calls, as `-e trace=` takes it.
    ///   - injection: What to do, as in ``Injection``; `nil` only looks.
    ///   - paths: Only calls on these files.
    public convenience init(
        _ pid: Int32, allThreads: Bool = true, calls: String, injection: String? = nil, paths: [String] = [],
        in folder: ScratchFolder
    ) async throws {
        try await self.init(
            pid, allThreads: allThreads, calls: calls,
            injections: injection.map { [Injection(calls, $0)] } ?? [], paths: paths, in: folder)
    }

    /// Attaches to all threads of `pid`, and does something else to each of some sets of calls.
    ///
    /// - Parameter paths: Only calls on these files; rename(2) is none to strace 6.1.
    public convenience init(
        _ pid: Int32, _ injections: [Injection], paths: [String] = [], in folder: ScratchFolder
    ) async throws {
        try await self.init(
            pid, allThreads: true, calls: injections.map(\.calls).joined(separator: ","),
            injections: injections, paths: paths, in: folder)
    }

    private init(
        _ pid: Int32, allThreads: Bool, calls: String, injections: [Injection], paths: [String],
        in folder: ScratchFolder
    ) async throws {
        let mark = UUID().uuidString.prefix(8)
        output = folder.url.appending(path: "strace-\(mark).out")
        var arguments =
            (allThreads ? ["-f"] : []) + [
                "-y", "-o", output.path, "-e", "trace=\(calls)", "-e", "signal=none",
            ]
        for injection in injections { arguments += ["-e", "inject=\(injection.calls):\(injection.deed)"] }
        for path in paths { arguments += ["-P", path] }
        arguments += ["-p", "\(pid)"]
        let tracer = try RunningProgram(
            URL(filePath: "/usr/bin/strace"), arguments, log: folder.url.appending(path: "strace-\(mark).log")
        )
        self.tracer = tracer
        try await eventually("strace to attach: \(tracer.output)") {
            // A program that is struck at once ends, and its tracer with it, before anyone looks here.
            let isRunning = tracer.isRunning
            if tracer.output.contains("attached") { return () }
            guard isRunning else { throw Impatience(description: "strace ended: \(tracer.output)") }
            return nil
        }
    }

    /// The calls so far, in order.
    public var calls: [Call] {
        let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            // The thread's number, padded to five places; left out when only one thread is traced.
            let thread = line.prefix { $0.isNumber }
            let text = line.dropFirst(thread.count).drop { $0 == " " }
            guard text.first?.isLowercase == true else { return nil }
            return Call(thread: Int(thread) ?? 0, text: String(text), isInjected: line.contains("INJECTED"))
        }
    }

    /// Most calls of one thread.
    public var mostOfOneThread: Int {
        Dictionary(grouping: calls, by: \.thread).values.map(\.count).max() ?? 0
    }

    /// Lets go of the program.
    public func detach() async throws {
        // A thread of a dispatch queue starts it, with all signals blocked: SIGTERM would never reach it. The kernel
        // lets the program go on when its tracer is gone.
        tracer.signal(SIGKILL)
        try await tracer.ended()
        try? FileManager.default.removeItem(at: output)
        try? FileManager.default.removeItem(at: tracer.log)
    }
}
