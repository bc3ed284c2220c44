import APIClient
import ArgumentParser
import FrameFastAPI

struct SessionStartVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Start a session; a running one is stopped.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The session's name, for example \"Bangkok Wedding\".")
    var name: String

    @Option(help: SessionKeepVerb.ruleHelp)
    var keep: String?

    func validate() throws {
        if let complaint = SessionName.complaint(about: name) {
            throw ValidationError("\(complaint) For example: \"\(SessionName.example)\"")
        }
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.call(\.sessions.start, .init(name: name, keep: keep))
        context.output.show(SessionView(session: answer.value, verb: "started", json: answer.body))
        return .success
    }
}
