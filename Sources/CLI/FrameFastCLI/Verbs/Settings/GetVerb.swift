import APIClient
import ArgumentParser
import FrameFastAPI

struct GetVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Show what a camera is set to.",
        discussion: """
            Keys and values are the same for all makers: \(SettingTexts.examples). A name of the driver's own is \
            written raw.NAME, for example raw.meteringmode. Choices are what the camera says that it offers.
            """)

    @OptionGroup var global: GlobalOptions

    @Flag(help: "List what the camera offers. Default with keys.")
    var choices = false

    @Argument(help: "The camera: its id or name.")
    var camera: CameraReference

    @Argument(help: ArgumentHelp("What to show. Default: every key that the camera has.", valueName: "key"))
    var keys: [String] = []

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.call(\.cameras.settings, camera, .init(names: keys))
        context.output.show(
            SettingsView(
                reply: answer.value, hasChoices: choices || !keys.isEmpty, json: answer.body))
        return keys.isEmpty || !answer.value.settings.isEmpty ? .success : .failed
    }
}
