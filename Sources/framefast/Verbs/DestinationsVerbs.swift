import APIClient
import ArgumentParser
import FrameFastAPI

struct DestinationsVerbs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "destinations", abstract: "List the places that photos go to; test one.",
        subcommands: [DestinationsListVerb.self, DestinationsTestVerb.self],
        defaultSubcommand: DestinationsListVerb.self)
}

struct DestinationsListVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the places that photos go to, and how they are.")

    @OptionGroup var global: GlobalOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.destinations()
        context.output.show(DestinationsView(destinations: answer.value.destinations, json: answer.body))
        return .success
    }
}

struct DestinationsTestVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Upload a probe to a destination, check it and remove it.",
        discussion: "Exits with 1 when that failed, and says where.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The destination.")
    var name: String

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.testDestination(name)
        context.output.show(DestinationTestView(reply: answer.value, json: answer.body))
        return answer.value.ok ? .success : .failed
    }
}
