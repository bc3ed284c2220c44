import APIClient
import ArgumentParser
import FrameFastAPI

struct SessionStopVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "Stop the running session.")

    @OptionGroup var global: GlobalOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.call(\.sessions.stop)
        context.output.show(SessionView(session: answer.value, change: .stopped, json: answer.body))
        return .success
    }
}
