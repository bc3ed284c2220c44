import APIClient
import ArgumentParser
import FoundationEssentials
import FrameFastAPI

struct AuditVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Show what happened to photos: read, checked, saved, each upload, ratings, deletions.",
        discussion: """
            Oldest first, up to now. With --json, each step is one line of JSON, for example to keep what the ledger \
            forgets: it remembers the last two million steps.
            """)

    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("Start time: \(GivenTime.forms). Default: a day ago.", valueName: "time"))
    var since: GivenTime?

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        var query = HistoryQuery(
            limit: HistoryQuery.limitMax, since: since?.date ?? Date().addingTimeInterval(-86_400))
        var isEmpty = true
        repeat {
            let answer = try context.client.call(\.history.list, query)
            let page = answer.value
            isEmpty = isEmpty && page.steps.isEmpty
            if !page.steps.isEmpty || page.nextCursor == nil {
                context.output.show(AuditView(page: page, isEmpty: isEmpty, json: answer.body))
            }
            query.cursor = page.nextCursor
        } while query.cursor != nil
        return .success
    }
}
