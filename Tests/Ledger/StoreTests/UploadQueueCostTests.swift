import Foundation
import FrameFastModel
import GRDB
import GRDBSQLite
import TestRig
import Testing

@testable import Store

/// Tests of the cost of queries on a long queue. The cost is the number of steps of SQLite's virtual machine,
/// which is the same on every computer.
@Suite struct UploadQueueCostTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    private func ledger(jobs: Int, withStatistics: Bool) async throws -> LedgerStore {
        let ledger = try LedgerStore(path: scratch.path("\(jobs).sqlite"))
        try await ledger.write { db in
            try db.execute(
                sql: """
                    WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < :jobs)
                    INSERT INTO capture (camera_id, folder, name, stem, size, camera_time, state, detected_at, bytes,
                        sha256, uploads_planned)
                    SELECT 'a', '/A', n || '.jpg', n, 10, n, 'saved', 0, 10, printf('%012d%052d', n, n), 1 FROM number
                    """, arguments: ["jobs": jobs])
            // Of 100 jobs, 70 are queued, 10 retrying, 10 held and 10 delivered.
            try db.execute(
                sql: """
                    INSERT INTO upload_job (capture_id, destination, state, hold, priority, remote_name, kind,
                        session_id, camera_id, bytes, next_attempt_at, reason, created_at)
                    SELECT id, 'nas', CASE WHEN id % 10 < 7 THEN 'queued' WHEN id % 10 = 7 THEN 'retrying'
                            WHEN id % 10 = 8 THEN 'held' ELSE 'delivered' END,
                        CASE id % 10 WHEN 8 THEN 'offline' ELSE '' END, -(id % 3), name, 'picture', 1, 'a', 10,
                        CASE id % 10 WHEN 7 THEN 4e9 + id END, 'faulty', 0
                    FROM capture
                    """)
            if withStatistics { try db.execute(sql: "ANALYZE") }
        }
        return ledger
    }

    @Test func `checkpoints at most three times during five hundred claims`() async throws {
        let ledger = try await ledger(jobs: 20_000, withStatistics: false)
        let request = LedgerStore.ClaimRequest(destination: "nas", limit: 1, order: .capture)
        var outcomes: [LedgerStore.UploadOutcome] = []
        var modificationDates: Set<Date> = []
        for _ in 0..<500 {
            let claimed = try await ledger.recordOutcomes(outcomes, claiming: request, at: Date()).claimed
            let job = try #require(claimed.first?.job)
            let delivery = UploadJob.Delivery(
                remoteName: job.remoteName, proof: "size", evidence: "", alreadyExisted: false)
            outcomes = [.init(jobID: job.id, event: .delivered(delivery, at: Date()))]
            let file = try FileManager.default.attributesOfItem(atPath: scratch.path("20000.sqlite"))
            modificationDates.insert(try #require(file[.modificationDate] as? Date))
        }
        #expect(modificationDates.count <= 1 + 3)
    }

    struct QueryCase: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var sql: String
        var arguments: StatementArguments
        var index: String
    }

    static let queryCases: [QueryCase] = [
        QueryCase(
            testDescription: "claim in capture order", sql: LedgerStore.claimSQL(.capture),
            arguments: ["destination": "nas"], index: "upload_job_queue"),
        QueryCase(
            testDescription: "claim newest first", sql: LedgerStore.claimSQL(.newestFirst),
            arguments: ["destination": "nas"], index: "upload_job_queue"),
        QueryCase(
            testDescription: "claim from a destination without jobs",
            sql: LedgerStore.claimSQL(.capture),
            arguments: ["destination": "s3"], index: "upload_job_queue"),
        QueryCase(
            testDescription: "oldest waiting upload", sql: LedgerStore.oldestWaitingSQL,
            arguments: ["destination": "nas"], index: "upload_job_queue"),
        QueryCase(
            testDescription: "next attempt",
            sql:
                "SELECT min(next_attempt_at) FROM upload_job WHERE destination = 'nas' AND state = 'retrying'",
            arguments: [], index: "upload_job_due"),
        QueryCase(
            testDescription: "due retries",
            sql: """
                SELECT id FROM upload_job WHERE destination = 'nas' AND state = 'retrying' AND next_attempt_at <= 3e9
                """, arguments: [], index: "upload_job_due"),
        QueryCase(
            testDescription: "open pictures", sql: openPicturesSQL, arguments: ["nas", 1],
            index: "upload_job_pictures"),
        QueryCase(
            testDescription: "new photos",
            sql: """
                SELECT id FROM capture INDEXED BY capture_unplanned WHERE capture.state = 'saved' AND uploads_planned = 0
                ORDER BY capture.id LIMIT 100
                """, arguments: [], index: "capture_unplanned"),
        QueryCase(
            testDescription: "photos with the same bytes", sql: LedgerStore.equalsSQL,
            arguments: ["start": "000000000000", "sha256": "0", "bytes": 10, "id": 1], index: "capture_bytes"
        ),
        QueryCase(
            testDescription: "edited photos with the same original", sql: LedgerStore.equalOriginalsSQL,
            arguments: ["sha256": "0", "bytes": 10, "id": 1], index: "capture_original"),
        QueryCase(
            testDescription: "a page of failures",
            sql: "SELECT * FROM upload_job WHERE state = 'failed' AND id < 1000000 ORDER BY id DESC LIMIT 50",
            arguments: [], index: "upload_job_state"),
        QueryCase(
            testDescription: "open jobs of a session", sql: LedgerStore.openUploadsSQL,
            arguments: ["session": 1, "after": 5, "limit": 100], index: "upload_job_open"),
        QueryCase(
            testDescription: "interrupted jobs", sql: "SELECT id FROM upload_job WHERE state = 'uploading'",
            arguments: [],
            index: "upload_job_"),
        QueryCase(
            testDescription: "photo counts", sql: "SELECT * FROM capture_count",
            arguments: [], index: "capture_count"),
        QueryCase(
            testDescription: "photos of today",
            sql: "SELECT coalesce(sum(photos), 0) FROM capture_quarter WHERE quarter >= 100", arguments: [],
            index: "capture_quarter"),
        QueryCase(
            testDescription: "photos of the last minute",
            sql: LedgerStore.savedSinceSQL, arguments: [4e9], index: "capture_saved"),
        QueryCase(
            testDescription: "upload counts", sql: "SELECT * FROM upload_count WHERE jobs > 0", arguments: [],
            index: "upload_count"),
        page("the first page of all jobs", before: nil),
        page("a page of all jobs", before: 900),
        chosenJobs,
        chosenPhotos,
    ]

    /// The query for jobs that a person chose by their numbers, with other filters.
    private static var chosenJobs: QueryCase {
        let filter = UploadFilter(ids: [5, 900], destination: "nas", state: .queued)
        let (condition, arguments) = LedgerStore.page(filter, before: nil, limit: 50)
        return QueryCase(
            testDescription: "jobs by number", sql: "SELECT * FROM upload_job WHERE \(condition)",
            arguments: arguments, index: "upload_job USING INTEGER PRIMARY KEY")
    }

    /// The query for photos that a person chose by their numbers, as `framefast queue add` runs it.
    private static var chosenPhotos: QueryCase {
        let query = LedgerStore.uploadableQuery(after: 0, limit: 50, ids: [5, 900])
        return QueryCase(
            testDescription: "photos by number",
            sql: Photo.sql(index: query.index, where: query.condition), arguments: query.arguments,
            index: "capture USING INTEGER PRIMARY KEY")
    }

    /// Returns the query for a page of all jobs, as `framefast queue --all` runs it.
    private static func page(_ name: String, before: JobID?) -> QueryCase {
        let (condition, arguments) = LedgerStore.page(UploadFilter(), before: before, limit: 50)
        return QueryCase(
            testDescription: name, sql: "SELECT * FROM upload_job WHERE \(condition)", arguments: arguments,
            index: "upload_job")
    }

    static func steps(_ queryCase: QueryCase, _ ledger: LedgerStore) async throws -> (
        steps: Int, plan: String
    ) {
        try await ledger.read { db in
            let plan = try Row.fetchAll(
                db, sql: "EXPLAIN QUERY PLAN " + queryCase.sql, arguments: queryCase.arguments
            ).map { $0["detail"] as String }.joined(separator: "; ")
            let statement = try db.makeStatement(sql: queryCase.sql)
            _ = try Row.fetchAll(statement, arguments: queryCase.arguments)
            return (Int(sqlite3_stmt_status(statement.sqliteStatement, SQLITE_STMTSTATUS_VM_STEP, 0)), plan)
        }
    }

    @Test func `each query costs at most about twice as much for 100,000 jobs as for 1,000`() async throws {
        let short = try await ledger(jobs: 1_000, withStatistics: false)
        let long = try await ledger(jobs: 100_000, withStatistics: true)
        for queryCase in Self.queryCases {
            let (few, shortPlan) = try await Self.steps(queryCase, short)
            let (many, plan) = try await Self.steps(queryCase, long)
            #expect(shortPlan.contains(queryCase.index), "\(queryCase.testDescription): \(shortPlan)")
            #expect(many <= few * 2 + 20, "\(queryCase.testDescription): \(few) steps, then \(many): \(plan)")
            #expect(plan.contains(queryCase.index), "\(queryCase.testDescription): \(plan)")
            #expect(!plan.contains("TEMP B-TREE"), "\(queryCase.testDescription): \(plan)")
        }
    }

    /// The number of values that each query of the upload engine loads from the queue.
    private struct LoadedValues: Hashable {
        var sums: Int
        var claimed: Int
        var open: Int
        var page: Int
    }

    private static func loadedValues(_ ledger: LedgerStore) async throws -> LoadedValues {
        let counts = try await ledger.uploadCounts()
        let request = LedgerStore.ClaimRequest(destination: "nas", limit: 4, order: .capture)
        return LoadedValues(
            sums: counts.values.reduce(0) { $0 + $1.states.count + $1.holds.count },
            claimed: try await ledger.recordOutcomes([], claiming: request, at: .now).claimed.count,
            open: try await ledger.openUploads(session: 1, after: 0, limit: 5).count,
            page: try await ledger.uploads(UploadFilter(), limit: 6).count)
    }

    @Test func `loads the same number of values for 100,000 uploads as for 10`() async throws {
        let few = try await Self.loadedValues(ledger(jobs: 10, withStatistics: false))
        #expect(few == LoadedValues(sums: 5, claimed: 4, open: 5, page: 6))
        #expect(try await Self.loadedValues(ledger(jobs: 100_000, withStatistics: true)) == few)
    }
}
