import Foundation
import Glibc

/// A tracer of a running program. strace makes system calls fail, or kills the program at a system call.
public final class Strace {
    private let tracer: RunningProgram
    private let output: URL

    /// A system call in the trace.
    public struct Call: Hashable, Sendable {
        /// The ID of the calling thread, or 0 if only one thread is traced.
        public var thread: Int
        /// The name, the arguments with the paths of descriptors, and the result.
        public var text: String
        /// Whether strace tampered with the call.
        public var isInjected: Bool
    }

    /// An injection for a set of system calls.
    public struct Injection: Hashable, Sendable {
        var calls: String
        var action: String

        /// - Parameters:
        ///   - calls: A set of calls, in the format of `-e trace=`.
        ///   - action: The action, in the format of `-e inject=` after the set, for example
        ///     `signal=KILL:when=3`. `when` counts the calls of each thread separately.
        public init(_ calls: String, _ action: String) {
            self.calls = calls
            self.action = action
        }
    }

    /// Whether strace is installed and may trace other processes.
    public static let isPossible: Bool = {
        let probe = Process()
        probe.executableURL = URL(filePath: "/usr/bin/env")
        probe.arguments = ["strace", "-o", "/dev/null", "true"]
        probe.standardError = FileHandle.nullDevice
        guard (try? probe.run()) != nil else { return false }
        probe.waitUntilExit()
        return probe.terminationStatus == 0
    }()

    /// Attaches to all threads of `pid`, or to the single thread with this ID, and waits until strace is
    /// attached.
    ///
    /// - Parameters:
    ///   - calls: A set of calls, in the format of `-e trace=`.
    ///   - injection: The action, as in ``Injection``, or `nil` to only record calls.
    ///   - paths: The files to which the trace is restricted; empty for no restriction.
    public convenience init(
        _ pid: Int32, allThreads: Bool = true, calls: String, injection: String? = nil, paths: [String] = [],
        in folder: ScratchFolder
    ) async throws {
        try await self.init(
            pid, allThreads: allThreads, calls: calls,
            injections: injection.map { [Injection(calls, $0)] } ?? [], paths: paths, in: folder)
    }

    /// Attaches to all threads of `pid` with a separate action for each set of calls.
    ///
    /// - Parameter paths: The files to which the trace is restricted. strace 6.1 doesn't match rename(2) by
    ///   path.
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
        for injection in injections { arguments += ["-e", "inject=\(injection.calls):\(injection.action)"] }
        for path in paths { arguments += ["-P", path] }
        arguments += ["-p", "\(pid)"]
        let tracer = try RunningProgram(
            URL(filePath: "/usr/bin/strace"), arguments, log: folder.url.appending(path: "strace-\(mark).log")
        )
        self.tracer = tracer
        try await eventually("strace to attach: \(tracer.output)") {
            // strace ends with the traced process. An injected SIGKILL may end both processes directly after
            // strace attached.
            let isRunning = tracer.isRunning
            if tracer.output.contains("attached") { return () }
            guard isRunning else { throw WaitTimeout(description: "strace ended: \(tracer.output)") }
            return nil
        }
    }

    /// The recorded calls, in the order in which they started.
    public var calls: [Call] {
        Self.calls(in: (try? String(contentsOf: output, encoding: .utf8)) ?? "")
    }

    /// Returns the calls in a trace.
    ///
    /// strace writes a call on two lines if another thread's call starts or ends during the call.
    static func calls(in trace: String) -> [Call] {
        var calls: [Call] = []
        for line in trace.split(separator: "\n") {
            // The thread ID is padded to five characters. It is omitted if only one thread is traced.
            let number = line.prefix { $0.isNumber }
            let (thread, text) = (Int(number) ?? 0, line.dropFirst(number.count).drop { $0 == " " })
            if text.first?.isLowercase == true {
                calls.append(
                    Call(thread: thread, text: String(text), isInjected: text.contains("INJECTED")))
            } else if let end = text.prefixMatch(of: #/<\.\.\. \w+ resumed>/#),
                let start = calls.lastIndex(where: { $0.thread == thread })
            {
                let rest = text[end.range.upperBound...]
                calls[start].text = calls[start].text.replacing(" <unfinished ...>", with: "") + String(rest)
                calls[start].isInjected = calls[start].isInjected || rest.contains("INJECTED")
            }
        }
        return calls
    }

    /// The number of calls of the thread with the most calls.
    public var mostOfOneThread: Int {
        Dictionary(grouping: calls, by: \.thread).values.map(\.count).max() ?? 0
    }

    /// Detaches from the program.
    public func detach() async throws {
        // SIGKILL is required, because a thread of a dispatch queue started strace with all other signals
        // blocked. The kernel lets the program continue when its tracer ends.
        tracer.signal(SIGKILL)
        try await tracer.waitUntilExit()
        try? FileManager.default.removeItem(at: output)
        try? FileManager.default.removeItem(at: tracer.log)
    }
}
