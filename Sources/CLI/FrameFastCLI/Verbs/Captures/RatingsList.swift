import APIClient
import FoundationEssentials
import FrameFastAPI

/// One page of rated shots, newest first.
struct RatingsList: Codable {
    /// The shots with stars, a pick, a reject or a comment.
    var shots: [ShotReply] = []
    /// The cursor of the next page, or `nil` on the last page.
    @OrNull var nextCursor: ShotID?

    init() { _nextCursor = OrNull(wrappedValue: nil) }

    /// Reads rated shots with their opinions. Finds the rated shots in the daemon's short list of all shots,
    /// and then requests the details of these shots only.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of rated shots, or `nil` for all.
    ///   - after: The cursor of the previous page, or `nil` for the newest shots.
    init(
        _ client: FrameFastClient, session: SessionID?, limit: Int?, after: ShotID?
    ) throws(ClientError) {
        self.init()
        var query = ShotsQuery(after: after, session: session)
        repeat {
            let page = try client.call(\.shots.list, query).value
            guard [page.stars.count, page.picks.count, page.flags.count].allSatisfy({ $0 == page.ids.count })
            else { throw .invalidResponse("lists of different lengths") }
            for (index, id) in page.ids.enumerated() where Self.isRated(page, index) {
                if shots.count == limit {
                    nextCursor = shots.last?.id
                    return
                }
                shots.append(try client.call(\.shots.get, id).value)
            }
            query.after = page.nextCursor
        } while query.after != nil
    }

    private static func isRated(_ page: ShotsReply, _ index: Int) -> Bool {
        page.stars[index] > 0 || page.picks[index] != nil
            || ShotFlags(rawValue: page.flags[index]).contains(.comment)
    }
}
