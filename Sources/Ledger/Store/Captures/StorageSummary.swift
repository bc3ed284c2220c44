public import FrameFastModel
import GRDB

/// The disk space that photos use on this computer, by the state of their uploads.
public struct StorageSummary: Hashable, Sendable {
    /// A number of files and their size.
    public struct Sum: Hashable, Sendable {
        /// The number of files.
        public var files = 0
        /// The size of the files, in bytes.
        public var bytes: UInt64 = 0

        static func += (sum: inout Sum, more: Sum) {
            sum.files += more.files
            sum.bytes += more.bytes
        }
    }

    /// All photos that are still on the disk.
    public var total = Sum()
    /// Photos that were delivered to all their destinations. They may be cleared.
    public var uploaded = Sum()
    /// Photos whose uploads are not all planned and delivered, or whose rating a destination did not accept.
    public var pending = Sum()
    /// Photos with at least one failed upload.
    public var failed = Sum()
    /// Photos without a destination. They are never cleared automatically.
    public var local = Sum()
    /// Photos that were cleared and are no longer on the disk.
    public var cleared = Sum()

    mutating func add(_ sum: Sum, as state: String) {
        if state != "cleared" { total += sum }
        switch state {
        case "uploaded": uploaded += sum
        case "failed": failed += sum
        case "pending": pending += sum
        case "cleared": cleared += sum
        default: local += sum
        }
    }
}

/// The disk space that a session's photos use.
public struct SessionStorage: Hashable, Sendable {
    /// The number of the session, or `nil` for photos without a session.
    public var session: SessionID?
    /// The name of the session, or `nil` for photos without a session.
    public var name: String?
    /// The retention rule of the session, or `nil` for the configured rule.
    public var keep: RetentionRule?
    /// The sums over the session's photos.
    public var summary = StorageSummary()
}

/// The disk space that photos use.
extension LedgerStore {
    /// Returns the sums by session, newest session first. If photos without a session exist,
    /// the last element is for these photos. The query reads every photo, and is too slow for a status line.
    public func storageSummaries() async throws -> [SessionStorage] {
        try await read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT sums.*, session.name, session.keep FROM (
                        SELECT session_id, class, count(*) AS files, coalesce(sum(bytes), 0) AS bytes FROM (
                            SELECT capture.session_id AS session_id, capture.bytes AS bytes, CASE
                                WHEN cleared_at IS NOT NULL THEN 'cleared'
                                WHEN sum(upload_job.state = 'failed') > 0 THEN 'failed'
                                WHEN uploads_planned = 0 OR sum(upload_job.state <> 'delivered') > 0
                                    OR \(Self.isUnrated) THEN 'pending'
                                WHEN count(upload_job.id) = 0 THEN 'local'
                                ELSE 'uploaded' END AS class
                            FROM capture LEFT JOIN upload_job ON capture_id = capture.id
                            WHERE capture.state = 'saved' GROUP BY capture.id)
                        GROUP BY session_id, class) AS sums
                    LEFT JOIN session ON session.id = session_id ORDER BY session_id DESC NULLS LAST
                    """)
            return rows.reduce(into: []) { all, row in
                let session: SessionID? = row["session_id"]
                if all.isEmpty || all[all.count - 1].session != session {
                    all.append(
                        SessionStorage(
                            session: session, name: row["name"],
                            keep: (row["keep"] as String?).flatMap(RetentionRule.init)))
                }
                var sum = StorageSummary.Sum()
                sum.files = row["files"]
                sum.bytes = UInt64(bitPattern: row["bytes"] as Int64)
                all[all.count - 1].summary.add(sum, as: row["class"])
            }
        }
    }
}
