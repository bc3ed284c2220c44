import APIClient
import ArgumentParser
import FoundationEssentials
import FrameFastAPI

struct CapturesVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "captures", abstract: "List photos, newest first.")

    @OptionGroup var global: GlobalOptions

    @Option(help: "Photos to list, 1 to \(CapturesQuery.limitMax).")
    var limit = 20

    @Flag(help: "List all photos, page after page.")
    var all = false

    @Option(help: ArgumentHelp("Go on where a page ended (next_cursor).", valueName: "cursor"))
    var cursor: String?

    @Option(help: ArgumentHelp("Only photos of this session.", valueName: "id"))
    var session: Int64?

    @Option(help: ArgumentHelp("Only photos of this camera.", valueName: "id"))
    var camera: String?

    @Option(help: ArgumentHelp("Only photos in this state, for example saved.", valueName: "word"))
    var state: String?

    func validate() throws {
        guard (1...CapturesQuery.limitMax).contains(limit) else {
            throw ValidationError("--limit is a number from 1 to \(CapturesQuery.limitMax)")
        }
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        var query = CapturesQuery(
            limit: all ? CapturesQuery.limitMax : limit, cursor: cursor, session: session, camera: camera,
            state: state.map(CaptureReply.State.init(rawValue:)))
        let first = try context.client.captures(query)
        guard all, var next = first.value.nextCursor else {
            context.output.show(CapturesView(page: first.value, json: first.body))
            return .success
        }
        var captures = first.value.captures
        while true {
            query.cursor = next
            let page = try context.client.captures(query).value
            captures += page.captures
            guard let cursor = page.nextCursor else { break }
            next = cursor
        }
        let whole = CapturesReply(captures: captures)
        let json: Data
        do { json = try WireCoder.encode(whole) } catch { throw .notUnderstood("\(error)") }
        context.output.show(CapturesView(page: whole, json: json))
        return .success
    }
}
