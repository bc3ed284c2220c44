public import Foundation
public import FrameFastModel
import GRDB

extension LedgerStore {
    /// Returns the creation time of the upload that has probably waited longest for a destination, or `nil`
    /// if no upload is queued.
    ///
    /// For each priority, the query reads only the upload of the oldest photo. The cost does not depend on
    /// the number of uploads, because there are few priorities. If a person adds an older photo later, the
    /// result is therefore the time of the later upload.
    public func oldestUploadWaiting(destination: DestinationName) async throws -> Date? {
        try await read { db in
            try Double.fetchOne(
                db.cachedStatement(sql: Self.oldestWaitingSQL), arguments: ["destination": destination]
            ).map(Date.init(timeIntervalSince1970:))
        }
    }

    /// The query for the oldest queued upload. The query iterates over the priorities in the index of queued
    /// jobs.
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
