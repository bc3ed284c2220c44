import CLinux
import FrameFastSystem
import Glibc
import Subprocess
import Synchronization
import SystemIO
public import SystemPackage

/// A child process in its own process group, started from an argument vector and never through a shell.
///
/// `setpriv` (util-linux) sets PR_SET_PDEATHSIG: the kernel kills the child when its parent thread ends.
/// `Subprocess` starts all children on a thread that runs until this process ends. The kernel therefore kills
/// the child when this process ends for any reason.
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

    /// The stack size of the thread that waits for the end of the process, in bytes.
    private static let stackBytes = 256 * 1_024

    /// The process id, which is also the id of its group.
    public let pid: Int32
    private let ending = AsyncResult<End>()
    private let state = Mutex(State())

    private struct State {
        /// Whether the process runs. Becomes `false` before the process is reaped.
        var isRunning = true
        /// The tasks that send the last signal to the group. The process is reaped after these tasks.
        var terminations: [Task<Void, Never>] = []
    }

    private init(pid: Int32) { self.pid = pid }

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
        let (starts, startSink) = AsyncThrowingStream<ChildProcess, any Error>.makeStream()
        // This task runs until the child is reaped.
        Task {
            do {
                _ = try await Subprocess.run(
                    configuration,
                    input: .fileDescriptor(descriptors[0], closeAfterSpawningProcess: true),
                    output: .fileDescriptor(descriptors[1], closeAfterSpawningProcess: true),
                    error: .fileDescriptor(descriptors[2], closeAfterSpawningProcess: true)
                ) { execution in
                    let process = execution.processIdentifier
                    let child = ChildProcess(pid: process.value)
                    do { try child.startWatching() } catch {
                        // The child is not reaped yet, so the id of its group is valid.
                        kill(-process.value, SIGKILL)
                        startSink.finish(throwing: error)
                        throw error
                    }
                    startSink.yield(child)
                    // `Subprocess` reaps the child after this closure has returned.
                    await child.waitForLastSignal()
                    // Without a free descriptor for a pidfd, `Subprocess` never reaps the child.
                    if process.processDescriptor < 0 { waitpid(process.value, nil, 0) }
                }
            } catch {
                startSink.finish(throwing: error)
            }
        }
        // The task is detached because a cancelled caller must still receive the started child.
        let first = Task.detached { () -> Result<ChildProcess, StartError> in
            do {
                for try await child in starts { return .success(child) }
                return .failure(StartError(program: start.program, reason: "it ended", errno: nil))
            } catch {
                let reason =
                    (error as? PlainThread.StartError).map { Errno(rawValue: $0.number) }
                    ?? (error as? SubprocessError)?.underlyingError
                return .failure(
                    StartError(program: start.program, reason: "\(error)", errno: reason))
            }
        }
        let child = try await first.value.get()
        // Processes that the child starts after this call inherit the priority.
        if start.yields && DebugSwitches.uploadsYield {
            child.state.withLock { if $0.isRunning { _ = framefast_lower_priority(child.pid) } }
        }
        return child
    }

    private static func openDevNull() throws -> FileDescriptor {
        try .open("/dev/null", .readWrite, options: .closeOnExec)
    }

    /// Starts the thread that waits for the end of the process.
    private func startWatching() throws(PlainThread.StartError) {
        try PlainThread.start("child-watch", stackBytes: Self.stackBytes) {
            let end = ChildWatch.waitForEnd(of: self.pid)
            self.state.withLock { $0.isRunning = false }
            self.ending.set(end)
        }
    }

    /// Waits until the process has ended and the last signal to its group was sent.
    private func waitForLastSignal() async {
        _ = await waitForEnd()
        for termination in state.withLock({ $0.terminations }) { await termination.value }
    }

    /// Waits until the process ends, even if the task is cancelled.
    public func waitForEnd() async -> End { await ending.wait() }

    /// Whether the process is running.
    public var isAlive: Bool { state.withLock { $0.isRunning } }

    /// The processor time that the process has used, in seconds, or `nil` if the process has ended.
    public var processorSeconds: Double? {
        // The lock keeps the process id valid.
        state.withLock { state in
            guard state.isRunning else { return nil }
            return SystemTime.processorNs(of: pid).map { Double($0) / 1e9 }
        }
    }

    /// Sends a signal to the process and to its group. Does nothing if the process has ended.
    public func signal(_ number: Int32) {
        // The lock keeps the group's id valid. After the process has been reaped, the kernel may assign the
        // id to another group.
        state.withLock { if $0.isRunning { _ = kill(-pid, number) } }
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
        state.withLock { state in
            guard state.isRunning else { return }
            _ = kill(-pid, SIGTERM)
            // A detached task, because a cancellation of the caller must not shorten the grace. The child is
            // reaped after this task, so the second signal never reaches another group with the same id.
            state.terminations.append(
                Task.detached { [pid] in
                    try? await Task.sleep(for: grace)
                    _ = kill(-pid, SIGKILL)
                })
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
