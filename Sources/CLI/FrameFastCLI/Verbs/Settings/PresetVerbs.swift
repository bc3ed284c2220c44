import APIClient
import ArgumentParser
import FrameFastAPI
import TerminalUI

struct PresetVerbs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preset",
        abstract: "Save what a camera is set to under a name, and set cameras to it.",
        discussion: """
            Presets are text files in presets/ below the service's state directory: read them, edit them, copy them \
            to another computer. A preset that was saved from one maker's camera can be applied to another's.
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
        let answer = try context.client.call(\.presets.list)
        context.output.show(PresetsView(presets: answer.value.presets, json: answer.body))
        return .success
    }
}

struct PresetShowVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the settings of a preset.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The preset.")
    var name: PresetName

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.call(\.presets.get, name)
        context.output.show(PresetView(preset: answer.value, json: answer.body))
        return .success
    }
}

struct PresetSaveVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "save", abstract: "Save what a camera is set to as a preset.",
        discussion: """
            Without keys, everything that makes up a picture is saved, except for what the exposure mode decides by \
            itself. A preset of that name is replaced.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The preset: letters, digits, '-', '_' and '.'.")
    var name: PresetName

    @Argument(help: "The camera that is set as it should be: its id or name.")
    var camera: CameraReference

    @Argument(help: ArgumentHelp("What to save, for example iso. See `framefast get`.", valueName: "key"))
    var keys: [String] = []

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let request = PresetSaveRequest(camera: camera, names: keys.isEmpty ? nil : keys)
        let answer = try context.client.call(\.presets.save, name, request)
        context.output.show(PresetView(preset: answer.value, badge: "Saved", json: answer.body))
        return .success
    }
}

struct PresetApplyVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "apply", abstract: "Set a camera to what a preset says.",
        discussion: "Exits with 0 when the camera has every value of the preset, else with 1.")

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Take the nearest value that the camera offers.")
    var nearest = false

    @Flag(help: "Show what would be set; change nothing.")
    var dryRun = false

    @Argument(help: "The preset.")
    var name: PresetName

    @Argument(help: "The camera: its id or name.")
    var camera: CameraReference

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let request = PresetApplyRequest(
            camera: camera, nearest: nearest ? true : nil, dryRun: dryRun ? true : nil)
        let answer = try context.client.call(\.presets.apply, name, request)
        context.output.show(SettingResultsView(results: answer.value.results, json: answer.body))
        return answer.value.results.allSatisfy(\.isDone) ? .success : .failed
    }
}

struct PresetDiffVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Show what a preset would change on a camera; change nothing.",
        discussion:
            "Exits with 0 when the camera is set to the preset already, with 4 when something differs.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The preset.")
    var name: PresetName

    @Argument(help: "The camera: its id or name.")
    var camera: CameraReference

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let request = PresetApplyRequest(camera: camera, dryRun: true)
        let answer = try context.client.call(\.presets.apply, name, request)
        context.output.show(SettingResultsView(results: answer.value.results, json: answer.body))
        return answer.value.results.allSatisfy { $0.result == .unchanged } ? .success : .attention
    }
}

struct PresetRemoveVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a preset.",
        discussion: "Asks for confirmation unless --yes is given. Exits with 130 when the answer is no.")

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @Argument(help: "The preset.")
    var name: PresetName

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let view = ConfirmView(
            .danger, question: "Remove preset \(name)?",
            consequence: "Its settings are lost. Cameras stay as they are.")
        switch Confirmation.ask(view, isAnswered: yes, context.output) {
        case .yes: break
        case .no:
            context.output.printLine("Nothing was removed.")
            return .left
        case .cannotAsk: return .usage
        }
        let answer = try context.client.call(\.presets.remove, name)
        context.output.show(PresetsView(presets: answer.value.presets, json: answer.body))
        return .success
    }
}
