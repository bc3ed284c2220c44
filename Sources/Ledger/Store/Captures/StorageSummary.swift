public import FrameFastModel
import GRDB

/// What photos take on this computer, by how far their uploads are.
public struct StorageSummary: Hashable, Sendable {
    /// Files and their bytes.
    public struct Sum: Hashable, Sendable {
        /// How many.
        public var files = 0
        /// Their bytes.
        public var bytes: UInt64 = 0

        /// Nothing.
        public init() {}

        /// Adds more.
        public static func += (sum: inout Sum, more: Sum) {
            sum.files += more.files
            sum.bytes += more.bytes
        }
    }

    /// All photos that are still here.
    public var total = Sum()
    /// Delivered to every destination that they are for: what may be cleared.
    public var uploaded = Sum()
    /// Not delivered everywhere yet.
    public var pending = Sum()
    /// At least one upload failed.
    public var failed = Sum()
    /// For no destination at all: never cleared by itself.
    public var local = Sum()
    /// Were cleared, and are no longer here.
    public var cleared = Sum()

    /// Nothing.
    public init() {}

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

/// What a session's photos take.
public struct SessionStorage: Hashable, Sendable {
    /// Number of the session; `nil` for photos without one.
    public var session: SessionID?
    /// Its name.
    public var name: String?
    /// How long its photos stay; `nil` for what the configuration says.
    public var keep: RetentionRule?
    /// The sums.
    public var summary = StorageSummary()
}

/// Sums over what lies here.
extension LedgerStore {
    /// Sums by session, newest first; photos without one come last. Looks at each photo: for a person, not for a
    /// status line.
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
                                WHEN uploads_planned = 0 OR sum(upload_job.state <> 'delivered') > 0 THEN 'pending'
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
