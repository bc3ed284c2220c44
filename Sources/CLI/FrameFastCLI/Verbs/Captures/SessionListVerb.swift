import APIClient
import ArgumentParser
import FrameFastAPI

struct SessionListVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List sessions, newest first.")

    @OptionGroup var global: GlobalOptions

    @Option(help: "Sessions to list, 1 to \(SessionsQuery.limitMax).")
    var limit = 20

    func validate() throws {
        guard (1...SessionsQuery.limitMax).contains(limit) else {
            throw ValidationError("--limit must be a number from 1 to \(SessionsQuery.limitMax)")
        }
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let response = try context.client.call(\.sessions.list, .init(limit: limit))
        context.output.show(SessionsView(sessions: response.value.sessions, json: response.body))
        return .success
    }
}
