import APIClient
import ArgumentParser
import FrameFastAPI

/// Which uploads a verb is about.
struct UploadSelectionOptions: ParsableArguments {
    @OptionGroup var filter: UploadFilterOptions

    @Option(help: ArgumentHelp("Only uploads in this state: \(UploadWords.states).", valueName: "word"))
    var state: String?

    @Argument(help: ArgumentHelp("Only uploads with these numbers, as listed.", valueName: "number"))
    var numbers: [JobID] = []

    func validate() throws {
        if let state, UploadWords.state(state) == nil {
            throw ValidationError("--state is one of \(UploadWords.states)")
        }
        if numbers.count > UploadSelection.idsMax {
            throw ValidationError("at most \(UploadSelection.idsMax) numbers can be given")
        }
    }

    /// The selection in the daemon's terms; everything when nothing is given.
    func selection(_ client: FrameFastClient) throws(ClientError) -> UploadSelection {
        var selection = UploadSelection(
            destination: filter.destination, session: try client.sessionID(filter.photos.session),
            camera: filter.photos.camera, state: state.flatMap(UploadWords.state),
            ids: numbers.isEmpty ? nil : numbers)
        if selection.isEmpty { selection.all = true }
        return selection
    }

    /// Whether nothing narrows it down.
    var isEmpty: Bool { filter.isEmpty && state == nil && numbers.isEmpty }

    /// In words, behind `12 uploads`: ` to nas`.
    var words: String { filter.destination.map { " to \($0)" } ?? "" }
}
