import APIClient
import ArgumentParser
import FrameFastAPI

struct GroupVerbs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group", abstract: "Manage groups of cameras that take photos together.",
        discussion: """
            A group is a [[group]] table in the configuration. Release its shutters with 'framefast shoot --group NAME'.
            """,
        subcommands: [GroupListVerb.self], defaultSubcommand: GroupListVerb.self)
}

struct GroupListVerb: Verb {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the groups.")

    @OptionGroup var global: GlobalOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let response = try context.client.call(\.groups.list)
        context.output.show(GroupsView(groups: response.value.groups, json: response.body))
        return .success
    }
}
