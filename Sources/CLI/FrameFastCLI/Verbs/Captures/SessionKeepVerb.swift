import APIClient
import ArgumentParser
import FrameFastAPI

struct SessionKeepVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "keep", abstract: "Change how long a session's photos stay on this computer.",
        discussion: """
            After the given time, FrameFast removes files that were delivered to all their destinations. \
            FrameFast keeps files with undelivered uploads, and files without a destination.
            """)

    /// The help of the option `--keep`.
    static let ruleHelp = ArgumentHelp(
        "How long the session's photos stay here: forever, until-delivered, or a number of days such as 7d.",
        valueName: "time")
    /// The value that restores the configured time for a session.
    private static let asConfigured = "as-configured"

    @OptionGroup var global: GlobalOptions

    @Argument(help: "forever, until-delivered, a number of days such as 7d, or as-configured.")
    var time: String

    @Option(
        help: ArgumentHelp(
            "The session's number or name. Default: the running session.", valueName: "session"))
    var session: String?

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let id: SessionID
        if let chosenSession = try context.client.sessionID(session) {
            id = chosenSession
        } else if let running = try context.client.call(\.service.status).value.session {
            id = running.id
        } else {
            throw .refused(
                .init(
                    code: .conflict, message: "cannot choose a session: none is running",
                    nextStep: "Choose a session with --session."))
        }
        let response = try context.client.call(
            \.sessions.keep, id, .init(keep: time == Self.asConfigured ? nil : time))
        context.output.show(SessionView(session: response.value, verb: "changed", json: response.body))
        return .success
    }
}
