public import Foundation
public import FrameFastModel
import GRDB

extension LedgerStore {
    /// Returns since when the oldest upload of a destination that may start has waited, or `nil` if no
    /// upload waits. The cost does not depend on the number of uploads: the query reads the first one of
    /// each priority, and priorities are few.
    public func oldestUploadWaiting(destination: DestinationName) async throws -> Date? {
        try await read { db in
            try Double.fetchOne(
                db.cachedStatement(sql: Self.oldestWaitingSQL), arguments: ["destination": destination]
            ).map(Date.init(timeIntervalSince1970:))
        }
    }

    /// The query, which iterates over the priorities in the queue's index.
    static let oldestWaitingSQL = """
        WITH RECURSIVE rank(priority) AS (
            SELECT (SELECT priority FROM upload_job INDEXED BY upload_job_queue
                WHERE state = 'queued' AND destination = :destination ORDER BY priority LIMIT 1)
            UNION ALL
            SELECT (SELECT priority FROM upload_job INDEXED BY upload_job_queue
                WHERE state = 'queued' AND destination = :destination AND priority > rank.priority
                ORDER BY priority LIMIT 1)
            FROM rank WHERE rank.priority IS NOT NULL
        )
        SELECT min((SELECT created_at FROM upload_job INDEXED BY upload_job_queue
            WHERE state = 'queued' AND destination = :destination AND priority = rank.priority
            ORDER BY capture_id LIMIT 1)) FROM rank WHERE rank.priority IS NOT NULL
        """
}
