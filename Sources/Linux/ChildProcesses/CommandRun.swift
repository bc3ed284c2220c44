import Glibc
public import SystemPackage

/// One run of a configured program: argument vector and environment from facts, never shell text.
public struct CommandRun: Sendable {
    /// How a run ended.
    public enum End: Hashable, Sendable, CustomStringConvertible {
        /// By itself, with this exit code.
        case exited(Int32)
        /// By a signal that was not ours.
        case killed(signal: Int32)
        /// It took longer than it may, and was ended.
        case timedOut
        /// Nobody wanted its result any more, and it was ended.
        case cancelled
        /// It could not be started; why, with the kernel's reason if it is known.
        case notStarted(String, Errno? = nil)

        /// For the log.
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

    /// What came of a run.
    public struct Outcome: Hashable, Sendable {
        /// How it ended.
        public var end: End
        /// What it wrote, up to a bound, the end of it.
        public var output: String
        /// What it wrote as errors, likewise.
        public var errors: String

        /// Creates an outcome.
        public init(end: End, output: String = "", errors: String = "") {
            self.end = end
            self.output = output
            self.errors = errors
        }

        /// The last line of its errors, or of its output when there are none: usually the reason.
        public var lastLine: String? {
            (errors.split(whereSeparator: \.isNewline).last ?? output.split(whereSeparator: \.isNewline).last)
                .map { oneLine(String($0), max: 160) }
        }
    }

    let settings: CommandSettings
    let facts: [String: String]

    /// Prepares a run.
    ///
    /// - Parameter facts: By name in upper case, without the prefix that they have in the environment.
    public init(settings: CommandSettings, facts: [String: String]) {
        self.settings = settings
        self.facts = facts
    }

    /// Most bytes of its output, and of its errors, that are kept.
    static let outputBytesMax = 8 * 1024
    /// Time between being asked to end and being killed.
    static let grace: Duration = .seconds(3)
    /// The same when nobody waits for its result any more: the service may be about to end.
    static let graceAtStop: Duration = .seconds(1)

    /// Runs it to its end.
    public func run() async -> Outcome {
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
        let timer = Task.detached { [settings] in
            // Without the time in which the computer sleeps, and the program with it.
            try await Task.sleep(for: .seconds(settings.timeoutSeconds), clock: .suspending)
            child.signal(SIGTERM)
            try await Task.sleep(for: Self.grace)
            child.signal(SIGKILL)
        }
        let begin = SuspendingClock.now
        let end = await withTaskCancellationHandler {
            await child.end()
        } onCancel: {
            child.signal(SIGTERM)
            Task.detached {
                try? await Task.sleep(for: Self.graceAtStop)
                child.signal(SIGKILL)
            }
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

    /// The arguments, with facts in place of `{…}`. What is not known stays as it is.
    var arguments: [String] {
        settings.arguments.map { template in
            var text = ""
            var rest = template[...]
            while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
                let name = rest[rest.index(after: open)..<close]
                text += rest[..<open]
                text += facts[name.uppercased()].map(Self.clean) ?? String(rest[open...close])
                rest = rest[rest.index(after: close)...]
            }
            return text + rest
        }
    }

    /// The whole environment.
    var environment: [String: String] {
        var environment = [
            "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8",
            "HOME": getenv("HOME").map { String(cString: $0) } ?? "/",
        ]
        for (name, value) in settings.environment { environment[name] = value }
        for (name, value) in facts where Self.isName(name) {
            environment["FRAMEFAST_" + name] = Self.clean(value)
        }
        return environment
    }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.allSatisfy { $0 == "_" || ($0.isASCII && ($0.isNumber || $0.isUppercase)) }
    }

    /// The kernel ends such a text at the first NUL.
    private static func clean(_ value: String) -> String { value.replacing("\0", with: "") }
}
