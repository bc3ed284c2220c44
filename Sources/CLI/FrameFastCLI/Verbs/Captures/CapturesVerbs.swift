import APIClient
import ArgumentParser
import FoundationEssentials
import FrameFastAPI

struct CapturesVerbs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "captures", abstract: "List photos, newest first, or read damaged photos again.",
        subcommands: [CapturesListVerb.self, CapturesRetryVerb.self],
        defaultSubcommand: CapturesListVerb.self)
}

struct CapturesListVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List photos, newest first.")

    @OptionGroup var global: GlobalOptions

    @OptionGroup var page: PageOptions
    @OptionGroup var photos: PhotoFilterOptions

    @Option(help: ArgumentHelp("Only photos in this state, for example delivered.", valueName: "state"))
    var state: String?

    @Flag(help: "List rated shots instead, with their stars, picks, comments and authors.")
    var ratings = false

    func validate() throws {
        guard ratings else { return }
        if photos.camera != nil || state != nil {
            throw ValidationError("--ratings cannot be combined with --camera or --state")
        }
        if let cursor = page.cursor, Int64(cursor) == nil {
            throw ValidationError("--cursor must be the value of next_cursor in the previous page")
        }
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        if ratings { return try showRatings(context) }
        var query = CapturesQuery(
            session: try context.client.sessionID(photos.session), camera: photos.camera)
        query.state = state.map { Word(text: $0) }
        let response = try page.read { limit, cursor throws(ClientError) in
            (query.limit, query.cursor) = (limit, cursor)
            return try context.client.call(\.captures.list, query)
        }
        context.output.show(CapturesView(page: response.value, json: response.body))
        return .success
    }

    private func showRatings(_ context: Context) throws(ClientError) -> ExitStatus {
        let list = try RatingsList(
            context.client, session: try context.client.sessionID(photos.session),
            limit: page.all ? nil : page.limit,
            after: page.cursor.flatMap { Int64($0) }.map { ShotID(rawValue: $0) })
        let json: Data
        do { json = try WireCoder.encode(list) } catch { throw .invalidResponse("\(error)") }
        context.output.show(RatingsView(list: list, json: json))
        return .success
    }
}

struct CapturesRetryVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Read damaged photos again, now or when their camera reconnects.")

    @OptionGroup var global: GlobalOptions

    @Argument(
        help:
            "Ids of the photos (see `framefast captures --state damaged --json`). Default: all damaged photos."
    )
    var ids: [CaptureID] = []

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        var page = CapturesReply(captures: [])
        for id in try ids.isEmpty ? damaged(context.client) : ids {
            page.captures.append(try context.client.call(\.captures.retry, id).value)
        }
        let json: Data
        do { json = try WireCoder.encode(page) } catch { throw .invalidResponse("\(error)") }
        context.output.show(CapturesRetryView(page: page, json: json))
        return .success
    }

    private func damaged(_ client: FrameFastClient) throws(ClientError) -> [CaptureID] {
        var query = CapturesQuery(limit: CapturesQuery.limitMax, state: .damaged)
        var ids: [CaptureID] = []
        repeat {
            let page = try client.call(\.captures.list, query).value
            ids += page.captures.map(\.id)
            query.cursor = page.nextCursor
        } while query.cursor != nil
        return ids
    }
}
