import APIClient
import ArgumentParser
import FrameFastAPI
import Glibc
import TerminalUI

struct LogsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "logs", abstract: "Show the service's log from the system journal.",
        discussion: """
            Runs journalctl for the unit framefastd. With --user, or if a user service is running, shows \
            the user service's log. Messages about each photo require `level = "debug"` in [log].
            """)

    /// The lowest level of messages to show.
    enum Level: String, CaseIterable, ExpressibleByArgument {
        case debug, info, notice, warning, error
    }

    @OptionGroup var global: GlobalOptions

    @Flag(name: [.short, .long], help: "Keep printing new messages.")
    var follow = false

    @Option(help: ArgumentHelp("Only messages about this camera.", valueName: "name"))
    var camera: String?

    @Option(help: ArgumentHelp("Only messages about this destination.", valueName: "name"))
    var destination: String?

    @Option(
        help: ArgumentHelp(
            "Start time: \"14:30\", \"yesterday\", \"2 hours ago\", \"2026-05-01\".", valueName: "time"))
    var since: String?

    @Option(help: ArgumentHelp("Only messages of this level or higher.", valueName: "level"))
    var level: Level?

    @Option(
        name: [.customShort("n"), .long],
        help: ArgumentHelp("Number of recent messages. Default: 100; with --since, all.", valueName: "count"))
    var lines: Int?

    @Flag(help: "Show the log of the user service.")
    var user = false

    @Flag(help: "Show the log of the system service.")
    var system = false

    func validate() throws {
        if user && system { throw ValidationError("--user and --system cannot be combined") }
        if let lines, lines < 1 { throw ValidationError("--lines must be at least 1") }
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        guard let journal = ShortCommand.find("journalctl") else {
            context.output.printError(
                Explanation(
                    status: .failed, code: .unsupported, message: "cannot find journalctl",
                    nextStep:
                        "Without systemd, read the service's standard error."
                ))
            return .failed
        }
        let isUsers = user || (!system && isOwnSocket(context))
        // Replace this process with journalctl, which handles keys, the pager and the exit status.
        var words: [UnsafeMutablePointer<CChar>?] = (["journalctl"] + arguments(isUsers: isUsers)).map {
            strdup($0)
        }
        words.append(nil)
        execv(journal, &words)
        context.output.printError(
            Explanation(
                status: .failed, code: .internal,
                message: "cannot run \(journal): \(String(cString: strerror(errno)))", nextStep: nil))
        return .failed
    }

    /// Returns whether the socket belongs to a user service of this user.
    private func isOwnSocket(_ context: Context) -> Bool {
        guard let runtime = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), runtime.hasPrefix("/")
        else {
            return false
        }
        return context.client.socketPath.hasPrefix(runtime + "/")
    }

    /// Returns the arguments for journalctl.
    func arguments(isUsers: Bool) -> [String] {
        var words = (isUsers ? ["--user"] : []) + ["--unit=framefastd", "--no-hostname"]
        if let lines {
            words.append("--lines=\(lines)")
        } else if since == nil {
            words.append("--lines=100")
        }
        if follow { words.append("--follow") }
        if let since { words.append("--since=\(since)") }
        if let level { words.append("--priority=\(level == .error ? "err" : level.rawValue)") }
        words += global.format.journalOptions
        if let camera { words.append("CAMERA=\(camera)") }
        if let destination { words.append("DESTINATION=\(destination)") }
        return words
    }
}
