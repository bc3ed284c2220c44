import APIClient
import ArgumentParser
import FrameFastAPI

struct SessionStopVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "Stop the running session.",
        discussion: """
            If the session was started with --give-back, restores the previous settings of the cameras. \
            Exits with 1 if a camera does not accept a previous setting. The session stops in any case.
            """)

    @OptionGroup var global: GlobalOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let response = try context.client.call(\.sessions.stop)
        context.output.show(SessionView(session: response.value, verb: "stopped", json: response.body))
        return response.value.hasAppliedAll ? .success : .failed
    }
}
