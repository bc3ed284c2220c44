import Foundation
import FrameFastModel
import GRDB

/// Decoding and encoding of ``UploadJob`` as rows of `upload_job`.
extension UploadJob {
    init(row: Row) {
        let hold: String = row["hold"]
        self.init(
            id: row["id"], captureID: row["capture_id"], destination: row["destination"],
            // A state of a newer version counts as failed, until the user retries the job.
            state: State(rawValue: row["state"]) ?? .failed,
            hold: hold.isEmpty ? nil : UploadHold(rawValue: hold) ?? .person,
            priority: row["priority"], remoteName: row["remote_name"],
            sessionID: row["session_id"], bodyID: row["camera_id"],
            bytes: UInt64(bitPattern: row["bytes"] as Int64),
            createdAt: Date(timeIntervalSince1970: row["created_at"]))
        isReleased = row["is_released"]
        attempts = row["attempts"]
        failuresInARow = row["setbacks"]
        nextAttemptAt = (row["next_attempt_at"] as Double?).map(Date.init(timeIntervalSince1970:))
        resumePoint = row["resume_point"]
        reason = row["reason"]
        sentence = row["sentence"]
        nextStep = row["next_step"]
        claimedAt = (row["claimed_at"] as Double?).map(Date.init(timeIntervalSince1970:))
        deliveredAt = (row["delivered_at"] as Double?).map(Date.init(timeIntervalSince1970:))
        if let name = row["delivered_name"] as String? {
            delivery = Delivery(
                remoteName: name, proof: row["proof"] ?? "", evidence: row["evidence"] ?? "",
                alreadyExisted: row["was_there"] ?? false)
        }
        if state == .delivered { sentBytes = bytes }
    }

    static func fetch(_ db: Database, where condition: String, _ arguments: StatementArguments) throws
        -> [UploadJob]
    {
        let statement = try db.cachedStatement(sql: "SELECT * FROM upload_job WHERE \(condition)")
        return try decoded(statement, arguments)
    }

    /// Decodes the jobs of a statement directly from SQLite's rows. Access by column name is slower for
    /// copied rows.
    static func decoded(_ statement: Statement, _ arguments: StatementArguments) throws -> [UploadJob] {
        try Array(Row.fetchCursor(statement, arguments: arguments).map(UploadJob.init(row:)))
    }

    /// Saves all mutable columns. While the job is running, ``LedgerStore/saveResumePoint(_:job:)`` saves the
    /// resume point.
    func save(_ db: Database) throws {
        let update = try db.cachedStatement(
            sql: """
                UPDATE upload_job SET state = ?, hold = ?, is_released = ?, priority = ?, attempts = ?,
                    setbacks = ?, next_attempt_at = ?, resume_point = ?, reason = ?, sentence = ?, next_step = ?,
                    claimed_at = ?, delivered_at = ?, delivered_name = ?, proof = ?, evidence = ?, was_there = ?
                WHERE id = ?
                """)
        let stored: State = state == .verifying ? .uploading : state
        try update.execute(arguments: [
            stored.rawValue, hold?.rawValue ?? "", isReleased, priority, attempts, failuresInARow,
            nextAttemptAt?.timeIntervalSince1970, resumePoint, reason, sentence, nextStep,
            claimedAt?.timeIntervalSince1970, deliveredAt?.timeIntervalSince1970, delivery?.remoteName,
            delivery?.proof, delivery?.evidence, delivery?.alreadyExisted, id,
        ])
    }

    /// Applies an event to a job and saves the result.
    ///
    /// - Returns: The updated job and the action that the caller must perform, or `nil` if the job does not
    ///   exist.
    static func apply(_ event: Event, to id: JobID, _ db: Database) throws -> UploadChange? {
        guard var job = try fetch(db, where: "id = ?", [id]).first else { return nil }
        let action = job.handle(event)
        switch action {
        case .nothing, .reportProgress: break
        case .start, .store, .retryAt, .notify, .stop: try job.save(db)
        case .remove:
            let delete = try db.cachedStatement(sql: "DELETE FROM upload_job WHERE id = ?")
            try delete.execute(arguments: [id])
        }
        let photo =
            try action == .nothing
            ? nil : CaptureRecord.fetch(db, where: "id = ?", [job.captureID]).first
        return UploadChange(job: job, photo: photo, action: action)
    }
}
