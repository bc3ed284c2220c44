import APIClient
import ArgumentParser
import FrameFastAPI
import TerminalUI

struct DestinationsVerbs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "destinations",
        abstract: "List destinations; test one, or adopt its folder.",
        subcommands: [DestinationsListVerb.self, DestinationsTestVerb.self, DestinationsAdoptVerb.self],
        defaultSubcommand: DestinationsListVerb.self)
}

struct DestinationsListVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List destinations and their states.")

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
        discussion: """
            Tries each feature that uploads use, and shows which of them the destination refuses. Exits with 1 when the \
            probe failed, and says where.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The destination.")
    var name: DestinationName

    @Flag(help: "Try features that were refused before, too.")
    var relearn = false

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        if relearn { _ = try context.client.call(\.destinations.relearn, name) }
        let answer = try context.client.call(\.destinations.test, name)
        context.output.show(DestinationTestView(reply: answer.value, json: answer.body))
        return answer.value.ok ? .success : .failed
    }
}

struct DestinationsAdoptVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "adopt",
        abstract:
            "Accept the folder that is there now as the destination's, after you changed its disk or share.",
        discussion: """
            A folder destination is recognised by a mark in it, so that a missing mount is never mistaken for an \
            empty folder. Asks for confirmation unless --yes is given. Exits with 130 when the answer is no.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The destination.")
    var name: DestinationName

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let known = try context.client.call(\.destinations.list).value.destinations.first { $0.name == name }
        if let known {
            let view = ConfirmView(
                .warning, question: "Use what is at \(known.location) now as \(name)?",
                consequence: "Its photos go there from now on. If the wrong disk is mounted, answer no.")
            switch Confirmation.ask(view, isAnswered: yes, context.output) {
            case .yes: break
            case .no:
                context.output.printLine("Nothing was changed.")
                return .left
            case .cannotAsk: return .usage
            }
        }
        let answer = try context.client.call(\.destinations.adopt, name)
        context.output.show(DestinationsView(destinations: [answer.value], json: answer.body))
        return .success
    }
}
