import APIClient
import ArgumentParser
import FrameFastAPI
import Localization

struct ModeVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "mode", abstract: "Show when photos are uploaded, or change it now.",
        discussion: HelpTable.text(SessionReply.UploadMode.all.map { ($0.rawValue, UploadWords.meaning($0)) })
            + """


            Stars, times and numbers apply to every session and survive restarts, until the configuration changes
            them. Options that are left out keep their values.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The new mode. Default: show the current one.")
    var mode: String?

    @Option(
        name: [.customLong("stars"), .customLong("threshold")],
        help: ArgumentHelp("With rated: the fewest stars to upload, 1 to 5.", valueName: "stars"))
    var stars: Int?

    @Option(
        help: ArgumentHelp(
            "With scheduled: when photos are uploaded, for example 22:00-06:00.", valueName: "times")
    )
    var window: String?

    @Option(help: ArgumentHelp("With scheduled: when uploads start; needs --to.", valueName: "time"))
    var from: String?

    @Option(help: ArgumentHelp("With scheduled: when uploads stop; needs --from.", valueName: "time"))
    var to: String?

    @Option(
        help: ArgumentHelp(
            "With scheduled: upload at any time once a session has this many photos; 0 for never.",
            valueName: "photos"))
    var after: Int?

    func validate() throws {
        _ = try mode.map(SessionReply.UploadMode.given)
        if let stars, mode != "rated" || !ModeRequest.thresholds.contains(stars) {
            throw ValidationError(localized("--stars is 1 to 5, and belongs to mode rated"))
        }
        if (from == nil) != (to == nil) {
            throw ValidationError(localized("--from and --to must be given together"))
        }
        if from != nil && window != nil {
            throw ValidationError(localized("--window cannot be combined with --from and --to"))
        }
        if let times, window == nil, mode != "scheduled" || !ModeRequest.isWindow(times) {
            throw ValidationError(
                localized("--from and --to are two times like 22:00 and 06:00, and belong to mode scheduled"))
        }
        if let window, mode != "scheduled" || !ModeRequest.isWindow(window) {
            throw ValidationError(
                localized("--window is written like 22:00-06:00, and belongs to mode scheduled"))
        }
        if let after, mode != "scheduled" || !(0...ModeRequest.afterPhotosMax).contains(after) {
            throw ValidationError(
                localized(
                    "--after is 0 to \(ModeRequest.afterPhotosMax) photos, and belongs to mode scheduled"))
        }
    }

    private var times: String? {
        guard let from, let to else { return window }
        return "\(from)-\(to)"
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        guard let mode else {
            let answer = try context.client.call(\.uploads.mode)
            context.output.show(ModeView(mode: answer.value, json: answer.body))
            return .success
        }
        let answer = try context.client.call(
            \.uploads.setMode,
            ModeRequest(
                mode: .init(rawValue: mode), threshold: stars, window: times, afterPhotos: after))
        context.output.show(ModeView(mode: answer.value, isChanged: true, json: answer.body))
        return .success
    }
}

extension SessionReply.UploadMode {
    /// The mode that a person gives.
    static func given(_ word: String) throws -> Self {
        let mode = Self(rawValue: word)
        guard all.contains(mode) else {
            throw ValidationError(
                localized("a mode is one of \(all.map(\.rawValue).joined(separator: ", "))"))
        }
        return mode
    }
}
