import APIClient
import ArgumentParser
import FrameFastAPI

struct QueueListVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List uploads that are not delivered yet, newest first.")

    @OptionGroup var global: GlobalOptions

    @OptionGroup var page: PageOptions
    @OptionGroup var filter: UploadFilterOptions

    @Option(
        help: ArgumentHelp(
            "Only uploads in these states: all, or a comma-separated list of \(UploadWords.states).",
            valueName: "words"))
    var state: String?

    func validate() throws {
        guard states != nil else {
            throw ValidationError(
                "--state must be all, or one or more of \(UploadWords.states), comma-separated")
        }
    }

    /// The chosen states, empty for all states, or `nil` if one of the words is not a state.
    private var states: [UploadState]? {
        guard let state else { return UploadState.undelivered }
        if state == "all" { return [] }
        let words = state.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let states = words.compactMap(UploadWords.state)
        return states.count == words.count ? states : nil
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        var query = UploadsQuery(
            states: states ?? [], destination: filter.destination,
            session: try context.client.sessionID(filter.photos.session),
            camera: filter.photos.camera)
        let response = try page.read { limit, cursor throws(ClientError) in
            (query.limit, query.cursor) = (limit, cursor)
            return try context.client.call(\.uploads.list, query)
        }
        let isFiltered = state != nil || !filter.isEmpty
        context.output.show(
            QueueView(
                page: response.value, json: response.body, isFiltered: isFiltered, now: context.clock.now()))
        return .success
    }
}
