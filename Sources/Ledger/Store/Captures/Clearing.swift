public import Foundation
public import FrameFastModel
import GRDB

/// Giving room back: which photos may go, and the record of those that went.
///
/// A photo's record says that it is being cleared before its file is removed, and that it is gone after that: what a
/// crash leaves in between is found by ``interruptedClearings(limit:)``.
extension LedgerStore {
    /// Delivered to every destination that it is for, and for at least one. The only photos that are ever cleared
    /// without being named.
    private static let isDeliveredEverywhere = """
        uploads_planned = 1 AND EXISTS (SELECT 1 FROM upload_job WHERE capture_id = capture.id)
            AND NOT EXISTS (SELECT 1 FROM upload_job WHERE capture_id = capture.id AND state <> 'delivered')
        """

    /// Photos that may be cleared, by number: saved before a moment and delivered everywhere.
    ///
    /// - Parameters:
    ///   - session: Only of this session; `.some(nil)` for photos without one; `nil` for all.
    ///   - after: Only photos with a higher ledger number.
    public func clearablePhotos(savedBefore: Date, session: SessionID??, after: CaptureID, limit: Int)
        async throws
        -> [CaptureRecord]
    {
        try await read { db in
            var arguments: StatementArguments = [
                "before": savedBefore.timeIntervalSince1970, "after": after, "limit": limit,
            ]
            if let session { arguments += ["session": session] }
            // The "+" keeps SQLite off an index by state, where it would sort all photos for each page.
            return try CaptureRecord.fetch(
                db,
                where: """
                    \(session == nil ? "+" : "session_id IS :session AND ")state = 'saved' AND cleared_at IS NULL
                        AND id > :after AND saved_at < :before AND \(Self.isDeliveredEverywhere)
                    ORDER BY id LIMIT :limit
                    """, arguments)
        }
    }

    /// Those of these photos that may be cleared, with the rules of their sessions.
    public func clearablePhotos(ids: Set<CaptureID>) async throws -> [(
        photo: CaptureRecord, keep: RetentionRule?
    )] {
        try await read { db in
            let row = try db.cachedStatement(
                sql: """
                    SELECT capture.*, (SELECT keep FROM session WHERE session.id = session_id) AS keep FROM capture
                    WHERE id = ? AND state = 'saved' AND cleared_at IS NULL AND \(Self.isDeliveredEverywhere)
                    """)
            return try ids.sorted().compactMap { id in
                try Row.fetchOne(row, arguments: [id]).map {
                    (CaptureRecord(row: $0), ($0["keep"] as String?).flatMap(RetentionRule.init))
                }
            }
        }
    }

    /// Notes that photos are about to be cleared, if they still may be.
    ///
    /// - Returns: those that may go. From now on no upload is added for them.
    public func beginClearing(_ ids: [CaptureID], at now: Date) async throws -> Set<CaptureID> {
        try await write { db in
            let update = try db.cachedStatement(
                sql: """
                    UPDATE capture SET cleared_at = ?, is_clearing = 1
                    WHERE id = ? AND state = 'saved' AND cleared_at IS NULL AND \(Self.isDeliveredEverywhere)
                    """)
            return try ids.reduce(into: []) { begun, id in
                try update.execute(arguments: [now.timeIntervalSince1970, id])
                if db.changesCount > 0 { begun.insert(id) }
            }
        }
    }

    /// Writes down how clearing ended: files that are durably gone, with what lay beside them, and files that stay after all.
    public func endClearing(gone: [CaptureID], kept: [CaptureID]) async throws {
        try await write { db in
            let end = try db.cachedStatement(sql: "UPDATE capture SET is_clearing = 0 WHERE id = ?")
            let forget = try db.cachedStatement(sql: "DELETE FROM sidecar WHERE capture_id = ?")
            for id in gone {
                try end.execute(arguments: [id])
                try forget.execute(arguments: [id])
            }
            let undo = try db.cachedStatement(
                sql: "UPDATE capture SET is_clearing = 0, cleared_at = NULL WHERE id = ? AND is_clearing = 1")
            for id in kept { try undo.execute(arguments: [id]) }
        }
    }

    /// Photos whose files were being removed when the service ended.
    public func interruptedClearings() async throws -> [CaptureRecord] {
        try await read { db in try CaptureRecord.fetch(db, where: "is_clearing = 1 ORDER BY id", []) }
    }

    /// The sessions whose photos do not stay for ever, with their rules; `nil` for photos without a session.
    ///
    /// - Parameter usual: The rule of those that have none of their own.
    public func retentionRules(usual: RetentionRule) async throws -> [(
        session: SessionID?, rule: RetentionRule
    )] {
        try await read { db in
            let rows = try Row.fetchAll(db, sql: "SELECT id, keep FROM session ORDER BY id")
            let sessions = rows.map { row in
                (row["id"] as SessionID?, (row["keep"] as String?).flatMap(RetentionRule.init) ?? usual)
            }
            return (sessions + [(nil, usual)]).filter { $0.1 != .forever }
        }
    }

    /// Changes how long a session's photos stay; `nil` for what the configuration says.
    ///
    /// - Returns: whether there is such a session.
    public func setRetention(_ rule: RetentionRule?, session: SessionID) async throws -> Bool {
        try await write { db in
            try db.execute(
                sql: "UPDATE session SET keep = ? WHERE id = ?", arguments: [rule?.text, session])
            return db.changesCount > 0
        }
    }
}
