import APIClient
import ArgumentParser
import FoundationEssentials
import FrameFastAPI
import TerminalUI

struct NoticeVerbs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notice", abstract: "List the ways in which people are told what is wrong; test them.",
        subcommands: [NoticeListVerb.self, NoticeTestVerb.self], defaultSubcommand: NoticeListVerb.self)
}

struct NoticeListVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List notices, and what waits to be told.")

    @OptionGroup var global: GlobalOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.call(\.notices.list)
        context.output.show(NoticesView(notices: answer.value.notices, json: answer.body))
        return .success
    }
}

struct NoticeTestVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Send a test notice, and say what the other side answered.",
        discussion: """
            In quiet hours as well. Exits with 1 when one did not arrive. With --json and without a name, a list.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The notice; every one when none is given.")
    var name: NoticeName?

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        if let name {
            let answer = try context.client.call(\.notices.test, name)
            context.output.show(NoticeTestView(replies: [answer.value], json: answer.body))
            return answer.value.ok ? .success : .failed
        }
        var replies: [NoticeTestReply] = []
        var bodies: [Data] = []
        for notice in try context.client.call(\.notices.list).value.notices {
            let answer = try context.client.call(\.notices.test, notice.name)
            replies.append(answer.value)
            bodies.append(answer.body)
        }
        let json = Data("[".utf8) + Data(bodies.joined(separator: Data(",".utf8))) + Data("]".utf8)
        context.output.show(NoticeTestView(replies: replies, json: json))
        return replies.allSatisfy(\.ok) ? .success : .failed
    }
}
