public import Foundation
public import FrameFastModel
import GRDB

/// What happened to captures. ``Schema/history`` writes it.
extension LedgerStore {
    /// All that happened to one capture and is still kept, oldest first.
    public func history(of capture: CaptureID) async throws -> [HistoryStep] {
        try await read { db in
            try HistoryStep.fetchAll(db, where: "capture_id = ? ORDER BY id", [capture])
        }
    }

    /// One page of all that happened, oldest first.
    ///
    /// - Parameters:
    ///   - since: Nothing from before; the clock may have been set in between, and numbers decide the order.
    ///   - after: Only steps with a larger number; `nil` begins with the oldest.
    public func history(since: Date?, after: HistoryStepID?, limit: Int) async throws -> [HistoryStep] {
        try await read { db in
            // A page goes on from its number: what was looked up once need not be looked up by time again.
            let first = try after.map { HistoryStepID(rawValue: $0.rawValue + 1) } ?? Self.first(db, since)
            guard let first else { return [] }
            return try HistoryStep.fetchAll(db, where: "id >= ? ORDER BY id LIMIT ?", [first, limit])
        }
    }

    private static func first(_ db: Database, _ since: Date?) throws -> HistoryStepID? {
        guard let since else { return 0 }
        return try HistoryStepID.fetchOne(
            db, sql: "SELECT min(id) FROM history INDEXED BY history_at WHERE at >= ?",
            arguments: [since.timeIntervalSince1970])
    }

    /// Makes a change whose history has somebody's name.
    static func change<Value>(
        _ db: Database, for asker: Asker?, _ body: (Database) throws -> Value
    ) throws -> Value {
        guard let asker else { return try body(db) }
        let name = try db.cachedStatement(sql: "UPDATE asker SET name = ?")
        try name.execute(arguments: [asker])
        // What throws is rolled back, the name as well.
        let value = try body(db)
        try name.execute(arguments: [nil])
        return value
    }

    /// Captures whose file here, or at the camera, has this name; newest first.
    ///
    /// - Parameter name: A file's name, or the whole path of a file here.
    public func captures(named name: String, limit: Int) async throws -> [CaptureID] {
        try await read { db in
            if name.hasPrefix("/") {
                return try CaptureID.fetchAll(
                    db, sql: "SELECT id FROM capture WHERE path = ?", arguments: [name])
            }
            let own = try CaptureID.fetchAll(
                db,
                sql: """
                    SELECT id FROM capture WHERE camera_id IN (SELECT id FROM camera) AND stem = :stem
                    AND name = :name AND \(Schema.isCapture) ORDER BY id DESC LIMIT :limit
                    """,
                arguments: [
                    "stem": SafeName.split(name).stem.lowercased(), "name": name, "limit": limit,
                ])
            // No index knows the last part of a path; the index of paths is looked through as a whole.
            let here = try CaptureID.fetchAll(
                db,
                sql: """
                    SELECT id FROM capture WHERE path IS NOT NULL AND substr(path, -:length) = :end
                    ORDER BY id DESC LIMIT :limit
                    """,
                arguments: ["end": "/" + name, "length": name.unicodeScalars.count + 1, "limit": limit])
            return Array(Set(own + here).sorted(by: >).prefix(limit))
        }
    }
}

extension HistoryStep {
    /// A job that its destination refused goes back to the queue as one that was cut off does: only who tried knows.
    static func noteRefusal(_ attempt: FailedAttempt, of job: UploadJob, _ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE history SET outcome = ?, detail = ? WHERE id =
                    (SELECT max(id) FROM history WHERE capture_id = ? AND kind = 'upload' AND destination = ?)
                """, arguments: [refused, attempt.sentence, job.captureID, job.destination])
    }

    fileprivate static func fetchAll(
        _ db: Database, where condition: String, _ arguments: StatementArguments
    ) throws -> [HistoryStep] {
        let statement = try db.cachedStatement(sql: "SELECT * FROM history WHERE \(condition)")
        // A kind that a newer version wrote is left out.
        return try Array(
            Row.fetchCursor(statement, arguments: arguments).compactMap { HistoryStep(row: $0) })
    }

    private init?(row: Row) {
        guard let kind = Kind(rawValue: row["kind"]) else { return nil }
        self.init(
            id: row["id"], captureID: row["capture_id"], at: Date(timeIntervalSince1970: row["at"]),
            kind: kind,
            destination: row["destination"], seconds: row["seconds"],
            bytes: (row["bytes"] as Int64?).map(UInt64.init(bitPattern:)), outcome: row["outcome"],
            detail: row["detail"], by: row["asker"])
    }
}
