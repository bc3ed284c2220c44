import APIClient
import ArgumentParser
import FrameFastAPI

struct ModeVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "mode", abstract: "Show when photos are uploaded, or change it at once.",
        discussion: SessionReply.UploadMode.all.map { mode in
            "  \(mode.rawValue)\(String(repeating: " ", count: max(1, 12 - mode.rawValue.count)))"
                + UploadWords.meaning(mode)
        }.joined(separator: "\n"))

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The new mode; shows the present one when left out.")
    var mode: String?

    @Option(help: ArgumentHelp("With rated: the fewest stars that go out, 1 to 5.", valueName: "stars"))
    var threshold: Int?

    @Option(
        help: ArgumentHelp("With scheduled: when photos go out, for example 22:00-06:00.", valueName: "times")
    )
    var window: String?

    @Option(help: ArgumentHelp("With scheduled: go out when so many are there.", valueName: "photos"))
    var after: Int?

    func validate() throws {
        let modes = SessionReply.UploadMode.all
        if let mode, !modes.contains(.init(rawValue: mode)) {
            throw ValidationError("a mode is one of \(modes.map(\.rawValue).joined(separator: ", "))")
        }
        if let threshold, mode != "rated" || !ModeRequest.thresholds.contains(threshold) {
            throw ValidationError("--threshold is 1 to 5 stars, and belongs to mode rated")
        }
        if let window, mode != "scheduled" || !ModeRequest.isWindow(window) {
            throw ValidationError("--window is written like 22:00-06:00, and belongs to mode scheduled")
        }
        if let after, mode != "scheduled" || !(1...ModeRequest.afterPhotosMax).contains(after) {
            throw ValidationError(
                "--after is 1 to \(ModeRequest.afterPhotosMax) photos, and belongs to mode scheduled")
        }
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        guard let mode else {
            let answer = try context.client.mode()
            context.output.show(ModeView(mode: answer.value, json: answer.body))
            return .success
        }
        let answer = try context.client.setMode(
            ModeRequest(
                mode: .init(rawValue: mode), threshold: threshold, window: window, afterPhotos: after))
        context.output.show(ModeView(mode: answer.value, isChanged: true, json: answer.body))
        return .success
    }
}
