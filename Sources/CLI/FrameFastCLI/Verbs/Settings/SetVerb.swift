import APIClient
import ArgumentParser
import FrameFastAPI

struct SetVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change settings of a camera.",
        discussion: """
            Changes the exposure mode first, then the other settings. A change succeeds if the camera \
            confirms the value. Exits with 0 if the camera has all requested values afterwards, and with \
            1 if not.

            For example: framefast set studio-a mode=M shutter=1/125 aperture=5.6 iso=400
            """)

    @OptionGroup var global: GlobalOptions

    @Flag(help: .nearest)
    var nearest = false

    @Flag(help: .dryRun)
    var dryRun = false

    @Argument(help: .camera)
    var camera: CameraReference

    @Argument(
        help: ArgumentHelp(
            "Settings to change, for example iso=400. See `framefast get`.", valueName: "key=value"))
    var changes: [SettingArgument]

    func validate() throws {
        let keys = changes.map(\.key)
        if let duplicateKey = keys.first(where: { key in keys.count { $0 == key } > 1 }) {
            throw ValidationError("\(duplicateKey) is given twice")
        }
        guard keys.count <= SettingsChangeRequest.changesMax else {
            throw ValidationError("at most \(SettingsChangeRequest.changesMax) settings can be given")
        }
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let request = SettingsChangeRequest(
            changes: Dictionary(changes.map { ($0.key, $0.value) }) { $1 },
            nearest: nearest ? true : nil, dryRun: dryRun ? true : nil)
        let response = try context.client.call(\.cameras.changeSettings, camera, request)
        context.output.show(SettingResultsView(results: response.value.results, json: response.body))
        return response.value.results.allSatisfy(\.isDone) ? .success : .failed
    }
}

/// A setting and its new value.
struct SettingArgument: ExpressibleByArgument {
    let key: String
    let value: String

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        (key, value) = (String(parts[0]), String(parts[1]))
    }
}
