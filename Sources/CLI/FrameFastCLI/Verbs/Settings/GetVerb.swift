import APIClient
import ArgumentParser
import FrameFastAPI

struct GetVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Show the settings of a camera.",
        discussion: """
            Keys and values are the same for all makers: \(SettingTexts.examples). For a setting without a \
            key, write 'raw.' before the driver's name, for example raw.meteringmode. Choices are the values \
            that the camera offers.
            """)

    @OptionGroup var global: GlobalOptions

    @Flag(help: "List the choices of each setting. This is the default if keys are given.")
    var choices = false

    @Argument(help: .camera)
    var camera: CameraReference

    @Argument(help: ArgumentHelp("Settings to show. Default: every setting of the camera.", valueName: "key"))
    var keys: [String] = []

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let response = try context.client.call(\.cameras.settings, camera, .init(names: keys))
        context.output.show(
            SettingsView(
                reply: response.value, hasChoices: choices || !keys.isEmpty, json: response.body))
        return keys.isEmpty || !response.value.settings.isEmpty ? .success : .failed
    }
}
