import APIClient
import ArgumentParser
import FrameFastAPI
import Localization

struct SessionStartVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Start a session; a running one is stopped.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The session's name, for example \"Bangkok Wedding\".")
    var name: String

    @Option(help: SessionKeepVerb.ruleHelp)
    var keep: String?

    @Option(
        help: ArgumentHelp(
            "When its photos are uploaded, as with `framefast mode`. Default: realtime.", valueName: "mode"))
    var mode: String?

    @Option(help: ArgumentHelp("Set every connected camera to this preset.", valueName: "name"))
    var preset: PresetName?

    @Flag(help: "At the session's end, give cameras back what they were set to before the preset.")
    var giveBack = false

    @Option(
        name: .customLong("field"), parsing: .singleValue,
        help: FieldArgument.help)
    var fields: [FieldArgument] = []

    func validate() throws {
        _ = try FieldArgument.texts(fields)
        _ = try mode.map(SessionReply.UploadMode.given)
        if giveBack && preset == nil { throw ValidationError(localized("--give-back belongs to --preset")) }
        if let complaint = SessionName.complaint(about: name) {
            throw ValidationError(localized("\(complaint) For example: \"\(SessionName.example)\""))
        }
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.call(
            \.sessions.start,
            .init(
                name: name, uploadMode: mode.map(SessionReply.UploadMode.init(rawValue:)), keep: keep,
                preset: preset, giveBack: giveBack ? true : nil,
                fields: fields.isEmpty ? nil : Dictionary(fields.map { ($0.name, $0.text) }) { $1 }))
        context.output.show(SessionView(session: answer.value, change: .started, json: answer.body))
        return .success
    }
}
