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

    @Option(help: ArgumentHelp("Set every connected camera to this preset.", valueName: "name"))
    var preset: PresetName?

    @Flag(help: "At the session's end, give cameras back what they were set to before the preset.")
    var giveBack = false

    func validate() throws {
        if giveBack && preset == nil { throw ValidationError("--give-back belongs to --preset") }
        if let error = SessionName.validationError(for: name) {
            throw ValidationError("\(error) For example: \"\(SessionName.example)\"")
        }
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.call(
            \.sessions.start,
            .init(name: name, keep: keep, preset: preset, giveBack: giveBack ? true : nil))
        context.output.show(SessionView(session: answer.value, verb: "started", json: answer.body))
        return .success
    }
}
