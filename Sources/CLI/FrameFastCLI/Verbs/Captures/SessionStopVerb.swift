import APIClient
import ArgumentParser
import FrameFastAPI

struct SessionStopVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "Stop the running session.",
        discussion: """
            Exits with 1 if a camera did not accept a setting that the session restores. The session is \
            stopped nevertheless.
            """)

    @OptionGroup var global: GlobalOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let response = try context.client.call(\.sessions.stop)
        context.output.show(SessionView(session: response.value, verb: "stopped", json: response.body))
        return response.value.hasAppliedAll ? .success : .failed
    }
}
