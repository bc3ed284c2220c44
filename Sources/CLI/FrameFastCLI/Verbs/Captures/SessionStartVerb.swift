import APIClient
import ArgumentParser
import FrameFastAPI

struct SessionStartVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Start a session, and stop the running session.",
        discussion: """
            With --preset, shows the changes before they are made. If a camera does not respond within \
            \(PresetDifferences.limitSeconds) s, names the camera and starts without its differences. \
            Exits with 0 if every connected camera has all values of the preset afterwards, and with 1 if \
            not. The session starts in both cases. With --json, the differences are omitted: use \
            'framefast preset diff'.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The session's name, for example \"Bangkok Wedding\".")
    var name: String

    @Option(help: SessionKeepVerb.ruleHelp)
    var keep: String?

    @Option(help: ArgumentHelp("Apply this preset to every connected camera.", valueName: "name"))
    var preset: PresetName?

    @Flag(help: "When the session ends, restore the settings that the cameras had before the preset.")
    var giveBack = false

    func validate() throws {
        if giveBack && preset == nil { throw ValidationError("--give-back needs --preset") }
        if let error = SessionName.validationError(for: name) {
            throw ValidationError("\(error) For example: \"\(SessionName.example)\"")
        }
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        if let preset, context.output.format.isForPeople,
            let differences = PresetDifferences.read(preset, context)
        {
            context.output.printNote(PresetDifferencesView(differences: differences))
        }
        let response = try context.client.call(
            \.sessions.start,
            .init(name: name, keep: keep, preset: preset, giveBack: giveBack ? true : nil))
        context.output.show(SessionView(session: response.value, verb: "started", json: response.body))
        return response.value.hasAppliedAll ? .success : .failed
    }
}
