import APIClient
import ArgumentParser
import FoundationEssentials
import FrameFastAPI

/// Options that choose which pages of a long list to show.
struct PageOptions: ParsableArguments {
    @Option(help: "Rows to list, 1 to \(CapturesQuery.limitMax).")
    var limit = 20

    @Flag(help: "List all pages.")
    var all = false

    @Option(
        help: ArgumentHelp(
            "Start at this cursor: the value of next_cursor in the previous page.", valueName: "cursor"))
    var cursor: String?

    func validate() throws {
        guard (1...CapturesQuery.limitMax).contains(limit) else {
            throw ValidationError("--limit must be a number from 1 to \(CapturesQuery.limitMax)")
        }
    }

    /// Reads the chosen page, or all pages as one.
    ///
    /// - Parameter page: Requests one page.
    func read<Page: ListPage>(
        _ page: (_ limit: Int, _ cursor: String?) throws(ClientError) -> FrameFastClient.Response<Page>
    ) throws(ClientError) -> FrameFastClient.Response<Page> {
        var response = try page(all ? CapturesQuery.limitMax : limit, cursor)
        guard all, response.value.nextCursor != nil else { return response }
        while let next = response.value.nextCursor {
            let more = try page(CapturesQuery.limitMax, next).value
            response.value.rows += more.rows
            response.value.nextCursor = more.nextCursor
        }
        do { response.body = try WireCoder.encode(response.value) } catch {
            throw .invalidResponse("\(error)")
        }
        return response
    }
}

/// A page of a list that can have more pages.
protocol ListPage: Codable, Sendable {
    associatedtype Element: Sendable
    var rows: [Element] { get set }
    var nextCursor: String? { get set }
}

extension CapturesReply: ListPage {
    var rows: [CaptureReply] {
        get { captures }
        set { captures = newValue }
    }
}

extension UploadsReply: ListPage {
    var rows: [UploadJobReply] {
        get { jobs }
        set { jobs = newValue }
    }
}
