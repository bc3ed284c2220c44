import CLinux
import Glibc
import Subprocess
import Synchronization
import SystemIO
public import SystemPackage

/// A child process in its own process group, started from an argument vector and never through a shell.
///
/// With PR_SET_PDEATHSIG, which `setpriv` (util-linux) sets, the kernel kills the child when the thread that
/// started the child ends. `Subprocess` starts all children on a thread that lives as long as this process.
/// The kernel therefore kills the child when this process ends for any reason.
public final class ChildProcess: Sendable {
    /// The end of a child process.
    public enum End: Hashable, Sendable {
        /// The child exited with this exit code.
        case exited(Int32)
        /// A signal ended the child.
        case killed(signal: Int32)
    }

    /// The reason why a child process could not be started.
    public struct StartError: Error, CustomStringConvertible {
        /// The absolute path of the program.
        public let program: String
        /// The reason as text.
        public let reason: String
        /// The kernel's error number, or `nil` if unknown.
        public let errno: Errno?
        /// The error message.
        public var description: String { "cannot start \(program): \(reason)" }
    }

    /// The description of a child process to start.
    public struct Start: Sendable {
        /// The absolute path of the program.
        public var program: String
        /// The arguments after the program's name.
        public var arguments: [String]
        /// The complete environment. The child inherits no other variables.
        public var environment: [String: String]
        /// The working directory.
        public var folder: String
        /// Whether the child runs at a lower priority than other programs.
        public var yields = false
        /// The standard input, or `nil` for `/dev/null`. ``start(_:)`` closes `input`, `output` and `error`
        /// after the child has started, or after a failure.
        public var input: FileDescriptor?
        /// The standard output, or `nil` for `/dev/null`.
        public var output: FileDescriptor?
        /// The standard error, or `nil` for `/dev/null`.
        public var error: FileDescriptor?

        /// Creates a description.
        public init(
            program: String, arguments: [String], environment: [String: String], folder: String = "/",
            input: FileDescriptor? = nil, output: FileDescriptor? = nil, error: FileDescriptor? = nil
        ) {
            self.program = program
            self.arguments = arguments
            self.environment = environment
            self.folder = folder
            self.input = input
            self.output = output
            self.error = error
        }
    }

    /// The process id, which is also the id of its group.
    public let pid: Int32
    private let ending: Task<End, Never>
    private let endState: EndState

    /// A started process.
    private struct StartedProcess: Sendable {
        var pid: pid_t
        /// Whether `Subprocess` detects the end of the process. Without a free descriptor for a pidfd,
        /// `Subprocess` waits for a SIGCHLD that no code handles. ``ChildWatch`` then polls the process
        /// instead.
        var isWatched: Bool
    }

    private final class EndState: Sendable { let hasEnded = Mutex(false) }

    private init(pid: pid_t, ending: Task<End, Never>, endState: EndState) {
        self.pid = pid
        self.ending = ending
        self.endState = endState
    }

    /// Starts a program.
    ///
    /// - Throws: The reason why the program cannot be started. After an error, the descriptors in `start` are
    ///   also closed.
    public static func start(_ start: Start) async throws(StartError) -> ChildProcess {
        var descriptors: [FileDescriptor] = []
        do {
            for given in [start.input, start.output, start.error] {
                descriptors.append(try given ?? openDevNull())
            }
        } catch {
            // Close the caller's descriptors and each `/dev/null` that was opened here.
            for given in [start.input, start.output, start.error] { try? given?.close() }
            for opened in zip(descriptors, [start.input, start.output, start.error]) where opened.1 == nil {
                try? opened.0.close()
            }
            throw StartError(program: start.program, reason: "\(error)", errno: error as? Errno)
        }
        guard access(start.program, X_OK) == 0 else {
            let reason = Errno(rawValue: errno)
            for descriptor in descriptors { try? descriptor.close() }
            throw StartError(program: start.program, reason: "\(reason)", errno: reason)
        }
        var options = PlatformOptions()
        options.processGroupID = 0
        let configuration = Configuration(
            executable: .path("/usr/bin/setpriv"),
            arguments: Arguments(["--pdeathsig", "KILL", "--", start.program] + start.arguments),
            environment: .custom(
                Dictionary(
                    uniqueKeysWithValues: start.environment.map { (.init(stringLiteral: $0.key), $0.value) })),
            workingDirectory: FilePath(start.folder), platformOptions: options)
        let (starts, startSink) = AsyncThrowingStream<StartedProcess, any Error>.makeStream()
        let (ends, endSink) = AsyncStream<End>.makeStream()
        let endState = EndState()
        let ending = Task<End, Never> {
            defer { endState.hasEnded.withLock { $0 = true } }
            for await end in ends { return end }
            return .exited(127)
        }
        // This task runs until the child ends.
        Task {
            do {
                let result = try await Subprocess.run(
                    configuration,
                    input: .fileDescriptor(descriptors[0], closeAfterSpawningProcess: true),
                    output: .fileDescriptor(descriptors[1], closeAfterSpawningProcess: true),
                    error: .fileDescriptor(descriptors[2], closeAfterSpawningProcess: true)
                ) { execution in
                    let process = execution.processIdentifier
                    startSink.yield(
                        StartedProcess(pid: process.value, isWatched: process.processDescriptor >= 0))
                }
                switch result.terminationStatus {
                case .exited(let code): endSink.yield(.exited(code))
                case .signaled(let signal): endSink.yield(.killed(signal: signal))
                }
            } catch {
                startSink.finish(throwing: error)
                endSink.yield(.exited(127))
            }
        }
        // The task is detached because a cancelled caller must still receive the started child.
        let first = Task.detached { () -> Result<StartedProcess, StartError> in
            do {
                for try await process in starts { return .success(process) }
                return .failure(StartError(program: start.program, reason: "it ended", errno: nil))
            } catch {
                let reason = (error as? SubprocessError)?.underlyingError
                return .failure(
                    StartError(program: start.program, reason: "\(error)", errno: reason))
            }
        }
        let process = try await first.value.get()
        if !process.isWatched { ChildWatch.watch(process.pid) { endSink.yield($0) } }
        let child = ChildProcess(pid: process.pid, ending: ending, endState: endState)
        // Processes that the child starts after this call inherit the priority.
        if start.yields && DebugSwitches.uploadsYield {
            endState.hasEnded.withLock { if !$0 { _ = framefast_lower_priority(child.pid) } }
        }
        return child
    }

    private static func openDevNull() throws -> FileDescriptor {
        try .open("/dev/null", .readWrite, options: .closeOnExec)
    }

    /// Waits until the process ends, even if the task is cancelled.
    public func waitForEnd() async -> End { await ending.value }

    /// Whether the process is running.
    public var isAlive: Bool { endState.hasEnded.withLock { !$0 } }

    /// Sends a signal to the process and to its group.
    public func signal(_ number: Int32) {
        // The lock keeps the process id valid. After the process has been reaped, the kernel may assign its
        // id to another process.
        endState.hasEnded.withLock { if !$0 { _ = kill(-pid, number) } }
    }

    /// Sends SIGTERM to the process group and waits for the end of the process. Sends SIGKILL to the
    /// processes of the group that still run after `grace`.
    @discardableResult public func stop(grace: Duration) async -> End {
        terminate(grace: grace)
        return await waitForEnd()
    }

    /// Sends SIGTERM to the process group, and SIGKILL after `grace`. The second signal also reaches
    /// processes of the group that outlive the child. Does nothing if the child has ended.
    func terminate(grace: Duration) {
        guard isAlive else { return }
        signal(SIGTERM)
        // A detached task, because it must continue after the end of the child, and in a cancelled task.
        Task.detached {
            try? await Task.sleep(for: grace)
            self.killGroup()
        }
    }

    private func killGroup() {
        endState.hasEnded.withLock { hasEnded in
            // The kernel does not reuse a group's id while the group has processes. If the child has ended
            // but a process with this id exists, the group has ended and the id belongs to another program.
            if hasEnded, kill(pid, 0) == 0 || errno != ESRCH { return }
            _ = kill(-pid, SIGKILL)
        }
    }

    /// Waits until the process ends. Sends SIGKILL to its group if it still runs after `patience`.
    @discardableResult public func endOrKill(after patience: Duration) async -> End {
        // The task is detached because the wait must continue after the caller's task is cancelled.
        let killer = Task.detached {
            try await Task.sleep(for: patience)
            self.signal(SIGKILL)
        }
        defer { killer.cancel() }
        return await waitForEnd()
    }
}
