import APIClient
import ArgumentParser
import FrameFastAPI

struct StatusVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show everything at a glance.",
        discussion: "Exits with 4 when a warning or worse is shown.")

    @OptionGroup var global: GlobalOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.status()
        context.output.show(StatusView(status: answer.value, json: answer.body))
        return answer.value.conditions.contains { $0.severity != .info } ? .attention : .success
    }
}
