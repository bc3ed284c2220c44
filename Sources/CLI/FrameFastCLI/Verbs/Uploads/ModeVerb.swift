import APIClient
import ArgumentParser
import FrameFastAPI

struct ModeVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "mode", abstract: "Show or change when photos are uploaded.",
        discussion: HelpTable.text(UploadMode.allCases.map { ($0.rawValue, UploadWords.meaning($0)) })
            + """


            The values of the options apply to every session, also after a restart, until the \
            configuration changes. An omitted option keeps its value.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The new mode. Default: show the current mode.")
    var mode: String?

    @Option(
        name: [.customLong("stars"), .customLong("threshold")],
        help: ArgumentHelp("With rated: the minimum number of stars, 1 to 5.", valueName: "stars"))
    var stars: Int?

    @Option(
        help: ArgumentHelp(
            "With scheduled: when photos are uploaded, for example 22:00-06:00.", valueName: "times")
    )
    var window: String?

    @Option(help: ArgumentHelp("With scheduled and --to: when uploads start.", valueName: "time"))
    var from: String?

    @Option(help: ArgumentHelp("With scheduled and --from: when uploads stop.", valueName: "time"))
    var to: String?

    @Option(
        help: ArgumentHelp(
            "With scheduled: also upload at other times once this many photos of a session wait. 0 turns this off.",
            valueName: "photos"))
    var after: Int?

    func validate() throws {
        if let mode, UploadMode(rawValue: mode) == nil {
            let words = UploadMode.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("the mode must be one of \(words)")
        }
        if let stars, mode != "rated" || !ModeRequest.thresholds.contains(stars) {
            throw ValidationError("--stars must be 1 to 5, and applies only to mode rated")
        }
        if (from == nil) != (to == nil) { throw ValidationError("--from and --to must be given together") }
        if from != nil && window != nil {
            throw ValidationError("--window cannot be combined with --from and --to")
        }
        if let times, window == nil, mode != "scheduled" || !ModeRequest.isWindow(times) {
            throw ValidationError(
                "--from and --to must be two times like 22:00 and 06:00, and apply only to mode scheduled")
        }
        if let window, mode != "scheduled" || !ModeRequest.isWindow(window) {
            throw ValidationError("--window must be like 22:00-06:00, and applies only to mode scheduled")
        }
        if let after, mode != "scheduled" || !(0...ModeRequest.afterPhotosMax).contains(after) {
            throw ValidationError(
                "--after must be 0 to \(ModeRequest.afterPhotosMax) photos, and applies only to mode scheduled"
            )
        }
    }

    private var times: String? {
        guard let from, let to else { return window }
        return "\(from)-\(to)"
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        guard let mode = mode.flatMap(UploadMode.init(rawValue:)) else {
            let response = try context.client.call(\.uploads.mode)
            context.output.show(ModeView(mode: response.value, json: response.body))
            return .success
        }
        let response = try context.client.call(
            \.uploads.setMode,
            ModeRequest(mode: mode, threshold: stars, window: times, afterPhotos: after))
        context.output.show(ModeView(mode: response.value, isChanged: true, json: response.body))
        return .success
    }
}
