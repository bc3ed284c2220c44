import Glibc
import SystemPackage

/// One run of a configured program: argument vector and environment from facts, never shell text.
struct CommandRun: Sendable {
    /// How a run ended.
    enum End: Hashable, Sendable {
        case exited(Int32)
        case killed(signal: Int32)
        case timedOut
        case cancelled
        case notStarted(String)
    }

    let settings: CommandSettings
    /// By name in upper case, without the prefix that they have in the environment.
    let facts: [String: String]

    /// Most bytes of its output that are kept.
    static let outputBytesMax = 8 * 1024
    /// Time between being asked to end and being killed.
    static let grace: Duration = .seconds(3)

    /// Runs it to its end.
    func run() async -> (end: End, output: String) {
        let output: ChildOutput
        let child: ChildProcess
        do {
            output = try ChildOutput(bytesMax: Self.outputBytesMax)
            child = try await ChildProcess.start(
                .init(
                    program: settings.program, arguments: arguments, environment: environment,
                    folder: settings.folder, output: output.childEnd.duplicate(), error: output.childEnd))
        } catch { return (.notStarted("\(error)"), "") }
        let timer = Task.detached { [settings] in
            try await Task.sleep(for: .seconds(settings.timeoutSeconds))
            child.signal(SIGTERM)
            try await Task.sleep(for: Self.grace)
            child.signal(SIGKILL)
        }
        let begin = ContinuousClock.now
        let end = await withTaskCancellationHandler {
            await child.end()
        } onCancel: {
            child.signal(SIGKILL)
        }
        timer.cancel()
        let text = output.finish()
        if Task.isCancelled { return (.cancelled, text) }
        if ContinuousClock.now - begin >= .seconds(settings.timeoutSeconds) { return (.timedOut, text) }
        switch end {
        case .exited(let code): return (.exited(code), text)
        case .killed(let signal): return (.killed(signal: signal), text)
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
