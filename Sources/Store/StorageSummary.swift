public import Foundation
public import FrameFastModel
import GRDB

/// What the photos on this computer take, by how far their uploads are.
public struct StorageSummary: Hashable, Sendable {
    /// Files and their bytes.
    public struct Sum: Hashable, Sendable {
        /// How many.
        public var files = 0
        /// Their bytes.
        public var bytes: UInt64 = 0

        /// Nothing.
        public init() {}

        mutating func add(_ row: Row) {
            files += row["files"]
            bytes += UInt64(bitPattern: row["bytes"] as Int64)
        }
    }

    /// All photos on this computer.
    public var total = Sum()
    /// Delivered to every destination that they are for.
    public var uploaded = Sum()
    /// Not delivered everywhere yet.
    public var pending = Sum()
    /// At least one upload failed.
    public var failed = Sum()
    /// For no destination at all.
    public var local = Sum()

    /// Nothing.
    public init() {}
}

/// A photo that may be cleared.
public struct ClearablePhoto: Hashable, Sendable {
    /// Ledger number.
    public var captureID: Int64
    /// The file.
    public var path: String
    /// Its bytes.
    public var bytes: UInt64
}

/// Room on this computer, and who may give some back.
extension LedgerStore {
    /// Delivered to every destination that it is for, and for at least one. The only photos that are ever cleared
    /// without being named.
    static let isDeliveredEverywhere = """
        EXISTS (SELECT 1 FROM upload_job WHERE capture_id = capture.id)
            AND NOT EXISTS (SELECT 1 FROM upload_job WHERE capture_id = capture.id AND state <> 'delivered')
        """

    /// Sums over all photos on this computer. Looks at each photo: for a person, not for a status line.
    public func storageSummary() async throws -> StorageSummary {
        try await read { db in
            var summary = StorageSummary()
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT class, count(*) AS files, coalesce(sum(bytes), 0) AS bytes FROM (
                        SELECT capture.bytes AS bytes, CASE
                            WHEN count(upload_job.id) = 0 THEN
                                CASE uploads_planned WHEN 0 THEN 'pending' ELSE 'local' END
                            WHEN sum(upload_job.state = 'failed') > 0 THEN 'failed'
                            WHEN sum(upload_job.state <> 'delivered') > 0 THEN 'pending'
                            ELSE 'uploaded' END AS class
                        FROM capture LEFT JOIN upload_job ON capture_id = capture.id
                        WHERE capture.state = 'saved' AND cleared_at IS NULL GROUP BY capture.id)
                    GROUP BY class
                    """)
            for row in rows {
                summary.total.add(row)
                switch row["class"] as String {
                case "uploaded": summary.uploaded.add(row)
                case "failed": summary.failed.add(row)
                case "pending": summary.pending.add(row)
                default: summary.local.add(row)
                }
            }
            return summary
        }
    }

    /// Photos that may be cleared, oldest first: saved before a moment and delivered everywhere.
    ///
    /// - Parameters:
    ///   - session: Only of this session; `.some(nil)` for photos without one; `nil` for all.
    ///   - after: Only photos with a higher ledger number.
    public func clearablePhotos(savedBefore: Date, session: Int64??, after: Int64, limit: Int) async throws
        -> [ClearablePhoto]
    {
        try await read { db in
            var arguments: StatementArguments = [
                "before": savedBefore.timeIntervalSince1970, "after": after, "limit": limit,
            ]
            if let session { arguments += ["session": session] }
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT id, path, bytes FROM capture WHERE state = 'saved' AND cleared_at IS NULL AND id > :after
                        AND path IS NOT NULL AND saved_at < :before
                        \(session == nil ? "" : "AND session_id IS :session") AND \(Self.isDeliveredEverywhere)
                    ORDER BY id LIMIT :limit
                    """, arguments: arguments
            ).map {
                ClearablePhoto(
                    captureID: $0["id"], path: $0["path"],
                    bytes: UInt64(bitPattern: $0["bytes"] as Int64? ?? 0))
            }
        }
    }

    /// Notes that photos are about to be cleared, if they may be: before the file goes, so that a crash leaves a
    /// file too many and never a record of a file that is not there.
    ///
    /// - Returns: those that may go.
    public func markCleared(_ ids: [Int64], at now: Date) async throws -> Set<Int64> {
        try await write { db in
            let update = try db.cachedStatement(
                sql: """
                    UPDATE capture SET cleared_at = ? WHERE id = ? AND state = 'saved'
                        AND \(Self.isDeliveredEverywhere)
                    """)
            return try ids.reduce(into: []) { cleared, id in
                try update.execute(arguments: [now.timeIntervalSince1970, id])
                if db.changesCount > 0 { cleared.insert(id) }
            }
        }
    }

    /// How long a session's photos stay; `nil` for what the configuration says.
    public func retention(session: Int64) async throws -> RetentionRule? {
        try await read { db in
            try String.fetchOne(db, sql: "SELECT keep FROM session WHERE id = ?", arguments: [session])
                .flatMap(RetentionRule.init)
        }
    }

    /// Changes how long a session's photos stay.
    ///
    /// - Returns: whether there is such a session.
    public func setRetention(_ rule: RetentionRule?, session: Int64) async throws -> Bool {
        try await write { db in
            try db.execute(
                sql: "UPDATE session SET keep = ? WHERE id = ?", arguments: [rule?.text, session])
            return db.changesCount > 0
        }
    }
}
