import APIClient
import ArgumentParser
import FrameFastAPI

/// Options that select the uploads for a verb.
struct UploadSelectionOptions: ParsableArguments {
    @OptionGroup var filter: UploadFilterOptions

    @Option(help: ArgumentHelp("Only uploads in this state: \(UploadWords.states).", valueName: "state"))
    var state: String?

    @Argument(
        help: ArgumentHelp("Only uploads with these numbers: see `framefast queue`.", valueName: "number"))
    var numbers: [JobID] = []

    func validate() throws {
        if let state, UploadWords.state(state) == nil {
            throw ValidationError("--state must be one of \(UploadWords.states)")
        }
        if numbers.count > UploadSelection.idsMax {
            throw ValidationError("at most \(UploadSelection.idsMax) numbers can be given")
        }
    }

    /// Returns the selection for the daemon. Selects all uploads if no option is given.
    func selection(_ client: FrameFastClient) throws(ClientError) -> UploadSelection {
        var selection = UploadSelection(
            destination: filter.destination, session: try client.sessionID(filter.photos.session),
            camera: filter.photos.camera, state: state.flatMap(UploadWords.state),
            ids: numbers.isEmpty ? nil : numbers)
        if selection.isEmpty { selection.all = true }
        return selection
    }

    /// Whether no option is given.
    var isEmpty: Bool { filter.isEmpty && state == nil && numbers.isEmpty }

    /// The destination in words that follow `12 uploads`, for example ` to nas`. Empty for all destinations.
    var words: String { filter.destination.map { " to \($0)" } ?? "" }
}
