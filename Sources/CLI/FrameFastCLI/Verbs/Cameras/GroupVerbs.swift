import APIClient
import ArgumentParser
import FrameFastAPI

struct GroupVerbs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group",
        abstract:
            "Groups of cameras that take photos together: what became of their shots, and how the cameras differ.",
        discussion: """
            A group is a [[group]] table of the configuration. Release its shutters with 'framefast shoot --group NAME'.
            """,
        subcommands: [GroupListVerb.self, GroupShotsVerb.self, GroupCheckVerb.self],
        defaultSubcommand: GroupListVerb.self)
}

struct GroupListVerb: Verb {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the groups.")

    @OptionGroup var global: GlobalOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.call(\.groups.list)
        context.output.show(GroupsView(groups: answer.value.groups, json: answer.body))
        return .success
    }
}

struct GroupShotsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "shots",
        abstract: "List the shots of a group, newest first, and the cameras without a photo of them.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The group.")
    var group: GroupName

    @Option(help: "Shots to list, 1 to \(GroupShotsQuery.limitMax).")
    var limit = GroupShotsQuery.limitDefault

    func validate() throws { try PageOptions.check(limit, max: GroupShotsQuery.limitMax) }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.call(\.groups.shots, group, .init(limit: limit))
        context.output.show(GroupShotsView(shots: answer.value.shots, json: answer.body))
        return .success
    }
}

struct GroupCheckVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Compare the cameras of a group, and name those that differ.",
        discussion: """
            Compared are shots in the session, clocks, batteries, room on the cards, models, firmware and the settings that \
            decide how a photo looks. Exit status 4 when a camera differs, or is not connected.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The group.")
    var group: GroupName

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.call(\.groups.check, group)
        context.output.show(GroupCheckView(check: answer.value, json: answer.body))
        return answer.value.odd.isEmpty ? .success : .attention
    }
}
