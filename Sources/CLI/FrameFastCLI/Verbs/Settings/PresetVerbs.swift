import APIClient
import ArgumentParser
import FrameFastAPI
import TerminalUI

struct PresetVerbs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preset",
        abstract: "Save a camera's settings as a preset, and apply presets to cameras.",
        discussion: """
            Presets are text files in presets/ below the service's state directory. You can edit them, or copy them \
            to another computer. You can apply a preset from one maker's camera to another maker's camera.
            """,
        subcommands: [
            PresetListVerb.self, PresetShowVerb.self, PresetSaveVerb.self, PresetApplyVerb.self,
            PresetDiffVerb.self, PresetRemoveVerb.self,
        ], defaultSubcommand: PresetListVerb.self)
}

struct PresetListVerb: Verb {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the presets.")

    @OptionGroup var global: GlobalOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let response = try context.client.call(\.presets.list)
        context.output.show(PresetsView(presets: response.value.presets, json: response.body))
        return .success
    }
}

struct PresetShowVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the settings of a preset.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: .preset)
    var name: PresetName

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let response = try context.client.call(\.presets.get, name)
        context.output.show(PresetView(preset: response.value, json: response.body))
        return .success
    }
}

struct PresetSaveVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "save", abstract: "Save a camera's settings as a preset.",
        discussion: """
            Without keys, all settings that affect the picture are saved, except those that the exposure mode controls. \
            A preset with the same name is replaced.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The preset's name: letters, digits, '-', '_' and '.'.")
    var name: PresetName

    @Argument(help: "The camera with the settings to save: its id or name.")
    var camera: CameraReference

    @Argument(help: ArgumentHelp("Settings to save, for example iso. See `framefast get`.", valueName: "key"))
    var keys: [String] = []

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let request = PresetSaveRequest(camera: camera, names: keys.isEmpty ? nil : keys)
        let response = try context.client.call(\.presets.save, name, request)
        context.output.show(PresetView(preset: response.value, badge: "Saved", json: response.body))
        return .success
    }
}

struct PresetApplyVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "apply", abstract: "Apply a preset to a camera.",
        discussion: "Exits with 0 if the camera has all values of the preset afterwards, and with 1 if not.")

    @OptionGroup var global: GlobalOptions

    @Flag(help: .nearest)
    var nearest = false

    @Flag(help: .dryRun)
    var dryRun = false

    @Argument(help: .preset)
    var name: PresetName

    @Argument(help: .camera)
    var camera: CameraReference

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let request = PresetApplyRequest(
            camera: camera, nearest: nearest ? true : nil, dryRun: dryRun ? true : nil)
        let response = try context.client.call(\.presets.apply, name, request)
        context.output.show(SettingResultsView(results: response.value.results, json: response.body))
        return response.value.results.allSatisfy(\.isDone) ? .success : .failed
    }
}

struct PresetDiffVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show the differences between a preset and a camera. Changes nothing.",
        discussion:
            "Exits with 0 if the camera has all values of the preset, and with 4 if a value differs.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: .preset)
    var name: PresetName

    @Argument(help: .camera)
    var camera: CameraReference

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let request = PresetApplyRequest(camera: camera, dryRun: true)
        let response = try context.client.call(\.presets.apply, name, request)
        context.output.show(SettingResultsView(results: response.value.results, json: response.body))
        return response.value.results.allSatisfy { $0.result == .unchanged } ? .success : .attention
    }
}

struct PresetRemoveVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a preset.",
        discussion: "Asks for confirmation unless --yes is given. Exits with 130 if the answer is no.")

    @OptionGroup var global: GlobalOptions

    @Flag(help: .yes)
    var yes = false

    @Argument(help: .preset)
    var name: PresetName

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let view = ConfirmView(
            .danger, question: "Remove preset \(name)?",
            consequence: "Its settings are lost. Cameras do not change.")
        let refusal = Confirmation.ask(
            view, isConfirmed: yes, refused: "Nothing was removed.", context.output)
        if let refusal { return refusal }
        let response = try context.client.call(\.presets.remove, name)
        context.output.show(PresetsView(presets: response.value.presets, json: response.body))
        return .success
    }
}
