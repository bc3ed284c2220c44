import CLinux
import Glibc
import PlainThreads
import Subprocess
import Synchronization
public import SystemPackage

/// A program that runs for us, in a process group of its own, started from an argument vector: never through a shell.
///
/// It ends with this process, whatever happens to that: `setpriv` (util-linux) asks the kernel for it. The thread that
/// starts processes for `Subprocess` lives as long as the program, as PR_SET_PDEATHSIG needs it.
public final class ChildProcess: Sendable {
    /// How a child ended.
    public enum End: Hashable, Sendable {
        /// By itself, with this exit code.
        case exited(Int32)
        /// By a signal.
        case killed(signal: Int32)
    }

    /// Why a child could not be started.
    public struct StartError: Error, CustomStringConvertible {
        /// Its absolute path.
        public let program: String
        /// The system's reason.
        public let reason: String
        /// The kernel's number for it, if it is known.
        public let errno: Errno?
        /// For people.
        public var description: String { "cannot start \(program): \(reason)" }
    }

    /// What to start.
    public struct Start: Sendable {
        /// Absolute path.
        public var program: String
        /// What stands behind its name in the argument vector.
        public var arguments: [String]
        /// The whole environment; nothing is inherited.
        public var environment: [String: String]
        /// Working folder; `/` unless it matters.
        public var folder: String
        /// Whether other programs go before it when the processor is short.
        public var yields = false
        /// Standard input. Closed here once the child has it; `nil` is `/dev/null`. So are the next two.
        public var input: FileDescriptor?
        /// Standard output.
        public var output: FileDescriptor?
        /// Standard error.
        public var error: FileDescriptor?

        /// Creates an order.
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

    /// Number of the process and of its group.
    let pid: pid_t
    private let ending: Task<End, Never>
    private let life: Life

    /// A child that runs.
    private struct Begun: Sendable {
        var pid: pid_t
        /// Whether `Subprocess` notices its end: without a descriptor for a pidfd it waits for a signal that is not handled.
        var isWatched: Bool
    }

    private final class Life: Sendable { let isOver = Mutex(false) }

    private init(pid: pid_t, ending: Task<End, Never>, life: Life) {
        self.pid = pid
        self.ending = ending
        self.life = life
    }

    /// Starts a program.
    public static func start(_ start: Start) async throws(StartError) -> ChildProcess {
        var descriptors: [FileDescriptor] = []
        do {
            for given in [start.input, start.output, start.error] {
                descriptors.append(try given ?? nowhere())
            }
        } catch {
            // Those that were given are ours to close, also behind the one that could not be had.
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
        let (begun, sink) = AsyncThrowingStream<Begun, any Error>.makeStream()
        let (ends, told) = AsyncStream<End>.makeStream()
        let life = Life()
        let ending = Task<End, Never> {
            defer { life.isOver.withLock { $0 = true } }
            for await end in ends { return end }
            return .exited(127)
        }
        // Ends when the child does.
        Task {
            do {
                let result = try await Subprocess.run(
                    configuration,
                    input: .fileDescriptor(descriptors[0], closeAfterSpawningProcess: true),
                    output: .fileDescriptor(descriptors[1], closeAfterSpawningProcess: true),
                    error: .fileDescriptor(descriptors[2], closeAfterSpawningProcess: true)
                ) { execution in
                    let process = execution.processIdentifier
                    sink.yield(Begun(pid: process.value, isWatched: process.processDescriptor >= 0))
                }
                switch result.terminationStatus {
                case .exited(let code): told.yield(.exited(code))
                case .signaled(let signal): told.yield(.killed(signal: signal))
                }
            } catch {
                sink.finish(throwing: error)
                told.yield(.exited(127))
            }
        }
        // In a task of its own: a caller who is cancelled meanwhile must still get hold of the child.
        let first = Task.detached { () -> Result<Begun, StartError> in
            do {
                for try await process in begun { return .success(process) }
                return .failure(StartError(program: start.program, reason: "it ended", errno: nil))
            } catch {
                let reason = (error as? SubprocessError)?.underlyingError
                return .failure(
                    StartError(program: start.program, reason: "\(error)", errno: reason))
            }
        }
        let process = try await first.value.get()
        if !process.isWatched { ChildWatch.watch(process.pid) { told.yield($0) } }
        let child = ChildProcess(pid: process.pid, ending: ending, life: life)
        // What it starts later inherits it.
        if start.yields && DebugSwitches.uploadsYield {
            life.isOver.withLock { if !$0 { _ = framefast_lower_priority(child.pid) } }
        }
        return child
    }

    private static func nowhere() throws -> FileDescriptor {
        try .open("/dev/null", .readWrite, options: .closeOnExec)
    }

    /// Waits for its end.
    public func end() async -> End { await ending.value }

    /// Whether it still runs.
    public var isAlive: Bool { life.isOver.withLock { !$0 } }

    /// Signals it and everything that it started in its group.
    public func signal(_ number: Int32) {
        // Under the lock, so that no signal is sent to a number that was given to someone else.
        life.isOver.withLock { if !$0 { _ = kill(-pid, number) } }
    }

    /// Ends it: asks first, kills what is left of its group after `grace`.
    @discardableResult public func stop(grace: Duration) async -> End {
        signal(SIGTERM)
        return await endOrKill(after: grace)
    }

    /// Waits for its own end, and kills its group after `patience`.
    @discardableResult public func endOrKill(after patience: Duration) async -> End {
        // Not a task of a group: this must also work in a task that was cancelled.
        let killer = Task.detached {
            try await Task.sleep(for: patience)
            self.signal(SIGKILL)
        }
        defer { killer.cancel() }
        return await end()
    }
}
