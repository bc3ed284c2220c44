public import Foundation
public import FrameFastModel
import GRDB

/// Uploads whose files are missing or unreadable on this computer.
extension LedgerStore {
    /// A failed job whose file was missing.
    public struct UploadWithoutFile: Hashable, Sendable {
        /// The job.
        public var id: JobID
        /// The expected path of the file.
        public var path: String
        /// The size of the file, in bytes.
        public var bytes: UInt64
    }

    /// Postpones all queued jobs of a destination whose files are in a folder, in one durable commit. Called
    /// after a check found that the folder is unavailable.
    ///
    /// - Returns: The captures of the postponed jobs.
    public func deferUploads(
        of folder: String, destination: DestinationName, until: Date, _ failedAttempt: FailedAttempt
    ) async throws -> [CaptureID] {
        try await write { db in
            // `0` follows `/` in ASCII. The range therefore contains all paths in the folder, and the query
            // can use the index of paths.
            try CaptureID.fetchAll(
                db,
                sql: """
                    UPDATE upload_job SET state = 'retrying', next_attempt_at = ?, reason = ?, sentence = ?,
                        next_step = ?
                    WHERE destination = ? AND state = 'queued'
                        AND capture_id IN (SELECT id FROM capture WHERE path > ? AND path < ?)
                    RETURNING capture_id
                    """,
                arguments: [
                    until.timeIntervalSince1970, UploadJob.sourceAwayReason, failedAttempt.sentence,
                    failedAttempt.nextStep, destination, folder + "/", folder + "0",
                ])
        }
    }

    /// Returns a destination's failed jobs whose files were missing, in the order of their numbers.
    public func uploadsWithoutFile(
        destination: DestinationName, after: JobID, limit: Int
    ) async throws -> [UploadWithoutFile] {
        try await read { db in
            let rows = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT upload_job.id, capture.path, capture.bytes FROM upload_job
                        JOIN capture ON capture.id = upload_job.capture_id
                        WHERE upload_job.state = 'failed' AND upload_job.id > ? AND destination = ?
                            AND reason = ? AND capture.path IS NOT NULL ORDER BY upload_job.id LIMIT ?
                        """),
                arguments: [after, destination, "file-gone", limit])
            return rows.map {
                UploadWithoutFile(
                    id: $0["id"], path: $0["path"], bytes: UInt64(bitPattern: $0["bytes"] as Int64? ?? 0))
            }
        }
    }

    /// Returns whether at least one open job waits for its file.
    public func hasUploadsWithoutSource() async throws -> Bool {
        try await read { db in
            try Bool.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT EXISTS (SELECT 1 FROM upload_job
                            WHERE state IN ('retrying', 'queued', 'uploading') AND reason = ?)
                        """), arguments: [UploadJob.sourceAwayReason]) ?? false
        }
    }
}
