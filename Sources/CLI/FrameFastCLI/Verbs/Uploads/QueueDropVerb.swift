import APIClient
import ArgumentParser
import FrameFastAPI
import TerminalUI

struct QueueDropVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "drop", abstract: "Drop uploads that are not delivered. The files are kept.",
        discussion: "Asks for confirmation unless --yes is given. Exits with 130 if the answer is no.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var which: UploadSelectionOptions

    @Flag(help: "All uploads that are not delivered.")
    var all = false

    @Flag(help: .yes)
    var yes = false

    func validate() throws {
        if which.isEmpty && !all {
            throw ValidationError("select uploads with --to, --session, --camera, --state, numbers, or --all")
        }
        if !which.isEmpty && all { throw ValidationError("--all cannot be combined with a selection") }
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        var selection = try which.selection(context.client)
        selection.dryRun = true
        let count = try context.client.call(\.uploads.drop, selection)
        if count.value.changed > 0 {
            let view = ConfirmView(
                .danger, question: "Drop \(UploadWords.uploads(count.value.changed))\(which.words)?",
                consequence: "The photos will not be uploaded. The files stay on this computer.")
            let refusal = Confirmation.ask(
                view, isConfirmed: yes, refused: "Nothing was dropped.", context.output)
            if let refusal { return refusal }
        }
        selection.dryRun = nil
        let response = try context.client.call(\.uploads.drop, selection)
        context.output.show(UploadChangeView(done: "dropped", reply: response.value, json: response.body))
        return .success
    }
}
