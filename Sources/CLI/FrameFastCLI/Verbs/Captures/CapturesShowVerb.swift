import APIClient
import ArgumentParser
import FrameFastAPI

struct CapturesShowVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one photo and what happened to it: read, checked, saved, each upload, ratings.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: PhotoArgument.help)
    var photo: PhotoArgument

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.call(\.history.get, photo.only(context.client))
        context.output.show(CaptureHistoryView(history: answer.value, json: answer.body))
        return .success
    }
}
