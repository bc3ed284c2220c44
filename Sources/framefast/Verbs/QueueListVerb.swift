import APIClient
import ArgumentParser
import FoundationEssentials
import FrameFastAPI

struct QueueListVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List uploads, newest first: those that are not delivered.")

    @OptionGroup var global: GlobalOptions

    @Option(help: "Uploads to list, 1 to \(UploadsQuery.limitMax).")
    var limit = 20

    @Flag(help: "List all of them, page after page.")
    var all = false

    @Option(help: ArgumentHelp("Go on where a page ended (next_cursor).", valueName: "cursor"))
    var cursor: String?

    @Option(
        help: ArgumentHelp(
            "Only uploads in these states, with commas: \(UploadWords.states); or all.", valueName: "words"))
    var state: String?

    @Option(
        name: [.customLong("to"), .customLong("destination")],
        help: ArgumentHelp("Only uploads to this destination.", valueName: "name"))
    var destination: String?

    @Option(help: ArgumentHelp("Only photos of this session: its number or name.", valueName: "session"))
    var session: String?

    @Option(help: ArgumentHelp("Only photos of this camera: its id or name.", valueName: "camera"))
    var camera: String?

    func validate() throws {
        guard (1...UploadsQuery.limitMax).contains(limit) else {
            throw ValidationError("--limit is a number from 1 to \(UploadsQuery.limitMax)")
        }
        guard states != nil else {
            throw ValidationError("--state is all, or some of \(UploadWords.states), with commas")
        }
    }

    /// The states that were asked for; `nil` when one of the words is none.
    private var states: [UploadJobReply.State]? {
        guard let state else { return UploadJobReply.State.open }
        if state == "all" { return [] }
        let words = state.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let states = words.compactMap(UploadWords.state)
        return states.count == words.count ? states : nil
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        var query = UploadsQuery(
            limit: all ? UploadsQuery.limitMax : limit, cursor: cursor, states: states ?? [],
            destination: destination, session: try context.client.sessionID(session))
        if let camera { query.camera = try context.client.cameraID(camera) }
        let isFiltered = state != nil || destination != nil || session != nil || camera != nil
        let first = try context.client.uploads(query)
        guard all, var next = first.value.nextCursor else {
            context.output.show(QueueView(page: first.value, json: first.body, isFiltered: isFiltered))
            return .success
        }
        var jobs = first.value.jobs
        while true {
            query.cursor = next
            let page = try context.client.uploads(query).value
            jobs += page.jobs
            guard let cursor = page.nextCursor else { break }
            next = cursor
        }
        let whole = UploadsReply(jobs: jobs)
        let json: Data
        do { json = try WireCoder.encode(whole) } catch { throw .notUnderstood("\(error)") }
        context.output.show(QueueView(page: whole, json: json, isFiltered: isFiltered))
        return .success
    }
}
