public import Foundation
public import FrameFastModel
import GRDB

/// Clearing: removing the files of photos to free disk space.
///
/// The ledger records the start of clearing before the file is removed, and the end afterwards.
/// ``interruptedClearings()`` returns the photos whose clearing was interrupted by a crash. After
/// ``recordDuplicate(_:at:)``, the photo's file has wrong bytes and is removed in the same way.
extension LedgerStore {
    /// The SQL condition for photos that have at least one destination and were delivered to all their
    /// destinations. Only these photos are cleared automatically. A photo whose rating a destination did not
    /// accept is excluded, because a later rating may cause its upload.
    private static let isDeliveredEverywhere = """
        uploads_planned = 1 AND EXISTS (SELECT 1 FROM upload_job WHERE capture_id = capture.id)
            AND NOT EXISTS (SELECT 1 FROM upload_job WHERE capture_id = capture.id AND state <> 'delivered')
            AND NOT \(isUnrated)
        """

    /// Returns photos that may be cleared: photos that were saved before a date and delivered everywhere. The
    /// photos are in the order of their numbers.
    ///
    /// - Parameters:
    ///   - session: The session, `.some(nil)` for photos without a session, or `nil` for all photos.
    ///   - after: The exclusive lower limit of the photos' numbers.
    public func clearablePhotos(savedBefore: Date, session: SessionID??, after: CaptureID, limit: Int)
        async throws
        -> [CaptureRecord]
    {
        try await read { db in
            var arguments: StatementArguments = [
                "before": savedBefore.timeIntervalSince1970, "after": after, "limit": limit,
            ]
            if let session { arguments += ["session": session] }
            // The "+" prevents SQLite from using an index by state. With that index, SQLite would sort all
            // photos for each page.
            return try CaptureRecord.fetch(
                db,
                where: """
                    \(session == nil ? "+" : "session_id IS :session AND ")state = 'saved' AND cleared_at IS NULL
                        AND id > :after AND saved_at < :before AND \(Self.isDeliveredEverywhere)
                    ORDER BY id LIMIT :limit
                    """, arguments)
        }
    }

    /// Returns the given photos that may be cleared, with the rules of their sessions. Omits photos that may
    /// not be cleared.
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

    /// Records the start of clearing for photos that may still be cleared.
    ///
    /// - Returns: The photos that may be cleared. The ledger no longer adds uploads for these photos.
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

    /// Records the end of clearing.
    ///
    /// - Parameters:
    ///   - gone: The photos whose files were durably removed.
    ///   - kept: The photos whose files were not removed.
    public func endClearing(gone: [CaptureID], kept: [CaptureID]) async throws {
        try await write { db in
            let end = try db.cachedStatement(sql: "UPDATE capture SET is_clearing = 0 WHERE id = ?")
            for id in gone { try end.execute(arguments: [id]) }
            let undo = try db.cachedStatement(
                sql: "UPDATE capture SET is_clearing = 0, cleared_at = NULL WHERE id = ? AND is_clearing = 1")
            for id in kept { try undo.execute(arguments: [id]) }
        }
    }

    /// Returns the photos whose files were being removed when the service stopped.
    public func interruptedClearings() async throws -> [CaptureRecord] {
        try await read { db in try CaptureRecord.fetch(db, where: "is_clearing = 1 ORDER BY id", []) }
    }

    /// Returns the sessions whose photos are not kept forever, with their retention rules. A session of `nil`
    /// means the photos without a session.
    ///
    /// - Parameter usual: The configured rule, for sessions that have no rule.
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

    /// Sets the retention rule of a session, or `nil` for the configured rule.
    ///
    /// - Returns: Whether the session exists.
    public func setRetention(_ rule: RetentionRule?, session: SessionID) async throws -> Bool {
        try await write { db in
            try db.execute(
                sql: "UPDATE session SET keep = ? WHERE id = ?", arguments: [rule?.text, session])
            return db.changesCount > 0
        }
    }
}
