public import Foundation
public import FrameFastModel
import GRDB

extension LedgerStore {
    /// Since when the oldest upload of a destination waits that may start; `nil` when none does. Its cost does not
    /// depend on how many wait: of each priority the first is looked at, and priorities are few.
    public func oldestUploadWaiting(destination: DestinationName) async throws -> Date? {
        try await read { db in
            try Double.fetchOne(
                db.cachedStatement(sql: Self.oldestWaitingSQL), arguments: ["destination": destination]
            ).map(Date.init(timeIntervalSince1970:))
        }
    }

    /// As a walk over the priorities of the queue's index.
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
