import APIClient
import ArgumentParser
import FrameFastAPI
import TerminalUI

struct DestinationsVerbs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "destinations",
        abstract: "List and test destinations, or accept a replaced disk or share.",
        subcommands: [DestinationsListVerb.self, DestinationsTestVerb.self, DestinationsAdoptVerb.self],
        defaultSubcommand: DestinationsListVerb.self)
}

struct DestinationsListVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List destinations and their states.")

    @OptionGroup var global: GlobalOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let response = try context.client.call(\.destinations.list)
        context.output.show(DestinationsView(destinations: response.value.destinations, json: response.body))
        return .success
    }
}

struct DestinationsTestVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Upload a probe to a destination, verify it and remove it.",
        discussion: """
            Tests each feature that uploads use, and shows which features the destination refuses. Exits with 1 if the \
            probe failed, and shows the failed step.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The destination.")
    var name: DestinationName

    @Flag(help: "Also try features that the destination refused before.")
    var relearn = false

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        if relearn { _ = try context.client.call(\.destinations.relearn, name) }
        let response = try context.client.call(\.destinations.test, name)
        context.output.show(DestinationTestView(reply: response.value, json: response.body))
        return response.value.ok ? .success : .failed
    }
}

struct DestinationsAdoptVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "adopt",
        abstract:
            "Accept the current folder of a destination, after you replaced its disk or share.",
        discussion: """
            FrameFast recognizes the folder of a destination by a marker file. If the disk or share is not \
            mounted, FrameFast copies no photos into the empty mount point. Asks for confirmation unless \
            --yes is given. Exits with 130 if the answer is no.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The destination.")
    var name: DestinationName

    @Flag(help: .yes)
    var yes = false

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let known = try context.client.call(\.destinations.list).value.destinations.first { $0.name == name }
        if let known {
            let view = ConfirmView(
                .warning, question: "Use the current folder at \(known.location) as \(name)?",
                consequence:
                    "New photos for this destination are copied to this folder. If the wrong disk is mounted, answer no."
            )
            let refusal = Confirmation.ask(
                view, isConfirmed: yes, refused: "Nothing was changed.", context.output)
            if let refusal { return refusal }
        }
        let response = try context.client.call(\.destinations.adopt, name)
        context.output.show(DestinationsView(destinations: [response.value], json: response.body))
        return .success
    }
}
