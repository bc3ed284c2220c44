import APIClient
import ArgumentParser
import FrameFastAPI
import TerminalUI

struct DestinationsVerbs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "destinations",
        abstract: "List the places that photos go to; test one, or adopt its folder.",
        subcommands: [DestinationsListVerb.self, DestinationsTestVerb.self, DestinationsAdoptVerb.self],
        defaultSubcommand: DestinationsListVerb.self)
}

struct DestinationsListVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the places that photos go to, and how they are.")

    @OptionGroup var global: GlobalOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.call(\.destinations.list)
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
    var name: DestinationName

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.call(\.destinations.test, name)
        context.output.show(DestinationTestView(reply: answer.value, json: answer.body))
        return answer.value.ok ? .success : .failed
    }
}

struct DestinationsAdoptVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "adopt",
        abstract: "Take the folder that is there now for a destination, after you changed its disk or share.",
        discussion: """
            A folder destination is remembered by a mark in it, so that a mount that is gone is never taken for an \
            empty folder. Asks first; --yes answers. Exits with 130 when the answer is no.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The destination.")
    var name: DestinationName

    @Flag(help: "Do it without being asked.")
    var yes = false

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let known = try context.client.call(\.destinations.list).value.destinations.first { $0.name == name }
        if let known {
            let view = ConfirmView(
                .warning, question: "Take what is at \(known.location) now for \(name)?",
                consequence: "Its photos go there from now on. If the right disk is not mounted, say no.")
            switch Confirmation.ask(view, isAnswered: yes, context.output) {
            case .yes: break
            case .no:
                context.output.line("Nothing was changed.")
                return .left
            case .cannotAsk: return .usage
            }
        }
        let answer = try context.client.call(\.destinations.adopt, name)
        context.output.show(DestinationsView(destinations: [answer.value], json: answer.body))
        return .success
    }
}
