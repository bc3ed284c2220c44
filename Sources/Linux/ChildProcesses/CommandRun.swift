import FrameFastSystem
import Glibc
public import SystemPackage

/// One run of a configured program. The arguments and the environment contain facts, for example about a
/// photo. No shell interprets the facts.
public struct CommandRun: Sendable {
    /// The end of a run.
    public enum End: Hashable, Sendable, CustomStringConvertible {
        /// The program exited with this exit code.
        case exited(Int32)
        /// A signal ended the program. The service did not send this signal.
        case killed(signal: Int32)
        /// The service ended the program at its time limit.
        case timedOut
        /// The caller cancelled the run.
        case cancelled
        /// The program could not be started. Carries the reason, and the kernel's error number if known.
        case notStarted(String, Errno? = nil)

        /// The text for the log.
        public var description: String {
            switch self {
            case .exited(let code): "exit code \(code)"
            case .killed(let signal): "signal \(signal)"
            case .timedOut: "timed out"
            case .cancelled: "stopped"
            case .notStarted(let reason, _): "not started: \(reason)"
            }
        }
    }

    /// The result of a run.
    public struct Outcome: Hashable, Sendable {
        /// The end of the run.
        public var end: End
        /// The last bytes of the standard output, up to a limit.
        public var output: String
        /// The last bytes of the standard error, up to a limit.
        public var errors: String

        /// Creates an outcome.
        public init(end: End, output: String = "", errors: String = "") {
            self.end = end
            self.output = output
            self.errors = errors
        }

        /// The last line of the standard error, or of the standard output if the standard error is empty.
        /// This line usually states the reason for a failure.
        public var lastLine: String? {
            (errors.split(whereSeparator: \.isNewline).last ?? output.split(whereSeparator: \.isNewline).last)
                .map { oneLine(String($0), max: 160) }
        }
    }

    let settings: CommandSettings
    let facts: [String: String]
    let factNames: Set<String>

    /// Creates a run.
    ///
    /// - Parameters:
    ///   - facts: Values by upper-case name. In the environment, names receive the prefix `FRAMEFAST_`.
    ///   - factNames: The names that are placeholders even without a value. In an argument, such a
    ///     placeholder becomes an empty text.
    public init(settings: CommandSettings, facts: [String: String], factNames: Set<String> = []) {
        self.settings = settings
        self.facts = facts
        self.factNames = factNames
    }

    /// The largest number of bytes to keep of the standard output, and of the standard error.
    static let outputBytesMax = 8 * 1024
    /// The time between SIGTERM and SIGKILL after the time limit.
    static let grace: Duration = .seconds(3)
    /// The time between SIGTERM and SIGKILL after a cancellation. This time is shorter than ``grace`` because
    /// the service may be stopping.
    static let graceAtStop: Duration = .seconds(1)

    /// Runs the program and waits for its end. Inside a simulation, starts no process.
    public func run() async -> Outcome {
        if let host = SimulatedHost.current {
            let code = await host.runProgram(facts)
            return Outcome(end: Task.isCancelled ? .cancelled : .exited(code))
        }
        let (output, errors): (ChildOutput, ChildOutput)
        let child: ChildProcess
        do {
            output = try ChildOutput(bytesMax: Self.outputBytesMax)
            errors = try ChildOutput(bytesMax: Self.outputBytesMax)
            child = try await ChildProcess.start(
                .init(
                    program: settings.program, arguments: arguments, environment: environment,
                    folder: settings.folder, output: output.childEnd, error: errors.childEnd))
        } catch {
            let reason = (error as? ChildProcess.StartError)?.errno ?? (error as? Errno)
            return Outcome(end: .notStarted("\(error)", reason))
        }
        // Read the clock before the timer starts. After a timeout, the measured time is then never shorter
        // than the limit.
        let begin = SuspendingClock.now
        let timer = Task.detached { [settings] in
            // The time limit excludes the computer's sleep, during which the program does not run.
            try await Task.sleep(for: .seconds(settings.timeoutSeconds), clock: .suspending)
            child.terminate(grace: Self.grace)
        }
        let end = await withTaskCancellationHandler {
            await child.waitForEnd()
        } onCancel: {
            child.terminate(grace: Self.graceAtStop)
        }
        timer.cancel()
        func outcome(_ end: End) -> Outcome {
            Outcome(end: end, output: output.finish(), errors: errors.finish())
        }
        if Task.isCancelled { return outcome(.cancelled) }
        if SuspendingClock.now - begin >= .seconds(settings.timeoutSeconds) { return outcome(.timedOut) }
        switch end {
        case .exited(let code): return outcome(.exited(code))
        case .killed(let signal): return outcome(.killed(signal: signal))
        }
    }

    /// The arguments with facts in place of placeholders. A placeholder is one word in braces: `{file}`. The
    /// braces may be part of other text in braces: `{"path": "{file}"}`. `${file}` is a variable of a shell.
    var arguments: [String] {
        settings.arguments.map { template in
            template.replacing(/(\$?)\{([A-Za-z][A-Za-z0-9_]*)\}/) { match in
                let name = match.2.uppercased()
                guard match.1.isEmpty, facts[name] != nil || factNames.contains(name) else {
                    return String(match.0)
                }
                return Self.removingNULs(facts[name] ?? "")
            }
        }
    }

    /// The complete environment.
    var environment: [String: String] {
        var environment = [
            "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8",
            "HOME": getenv("HOME").map { String(cString: $0) } ?? "/",
        ]
        for (name, value) in settings.environment { environment[name] = value }
        for (name, value) in facts where Self.isName(name) {
            environment["FRAMEFAST_" + name] = Self.removingNULs(value)
        }
        return environment
    }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.allSatisfy { $0 == "_" || ($0.isASCII && ($0.isNumber || $0.isUppercase)) }
    }

    /// Removes NUL characters, because the kernel truncates text at a NUL.
    private static func removingNULs(_ value: String) -> String { value.replacing("\0", with: "") }
}
