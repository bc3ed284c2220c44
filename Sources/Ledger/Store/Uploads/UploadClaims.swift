public import Foundation
public import FrameFastModel
import GRDB

/// The result of an event for a job.
public struct UploadChange: Hashable, Sendable {
    /// The updated job.
    public var job: UploadJob
    /// The job's photo, or `nil` if the job did not change or the ledger does not have the photo.
    public var photo: CaptureRecord?
    /// The action that the caller must perform.
    public var action: UploadJob.Action
}

/// The order in which a destination's jobs start.
public enum UploadOrder: String, Codable, Hashable, Sendable, CaseIterable {
    /// The oldest photo first.
    case capture
    /// The newest photo first.
    case newestFirst = "newest-first"
}

/// A claimed job with its photo.
public struct ClaimedUpload: Hashable, Sendable {
    /// The job, in state `uploading`.
    public var job: UploadJob
    /// The job's photo.
    public var photo: Photo
    /// Whether this is the first claim of the job. If `true`, the destination cannot have a part of the file.
    public var isFirstTry = false
}

/// Claiming jobs and recording their results.
extension LedgerStore {
    /// An event for a job, usually the result of an attempt. One commit can record outcomes and claim the
    /// next jobs.
    public struct UploadOutcome: Hashable, Sendable {
        /// The number of the job.
        public var jobID: JobID
        /// The event.
        public var event: UploadJob.Event

        /// Creates an outcome.
        public init(jobID: JobID, event: UploadJob.Event) {
            self.jobID = jobID
            self.event = event
        }
    }

    /// A request for the next jobs of a destination.
    public struct ClaimRequest: Hashable, Sendable {
        /// The destination.
        public var destination: DestinationName
        /// The maximum number of jobs to claim.
        public var limit: Int
        /// The order of the jobs.
        public var order: UploadOrder

        /// Creates a request.
        public init(destination: DestinationName, limit: Int, order: UploadOrder) {
            self.destination = destination
            self.limit = limit
            self.order = order
        }
    }

    /// Records the results of attempts and claims the next jobs, in one durable commit.
    ///
    /// If the clock was set back after the end of an attempt, the ledger stores `now` as the end. With the
    /// original date, the retry would be late by the size of the clock change.
    ///
    /// - Parameter onCommit: Called after the commit and before the next commit. Must return quickly.
    public func recordOutcomes(
        _ outcomes: [UploadOutcome], claiming request: ClaimRequest?, at now: Date,
        onCommit: @escaping @Sendable ([UploadChange], [ClaimedUpload]) -> Void = { _, _ in }
    ) async throws -> (changes: [UploadChange], claimed: [ClaimedUpload]) {
        try await write { db in
            let changes = try outcomes.compactMap { outcome in
                try UploadJob.apply(outcome.event.dated(noLaterThan: now), to: outcome.jobID, db)
            }
            guard let request, request.limit > 0 else { return (changes, []) }
            try Self.queueDue(db, request.destination, now)
            return (changes, try Self.claim(db, request, now))
        } onCommit: {
            onCommit($0.changes, $0.claimed)
        }
    }

    /// Saves the resume point of a running upload for the next attempt. Has no effect if the job is not
    /// running.
    public func saveResumePoint(_ point: String?, job: JobID) async throws {
        try await write { db in
            try db.execute(
                sql: "UPDATE upload_job SET resume_point = ? WHERE id = ? AND state = 'uploading'",
                arguments: [point, job])
        }
    }

    /// Deletes the resume points of a job or of all jobs of a destination. The next attempts then start from
    /// the beginning. Running jobs keep their resume points.
    public func forgetResumePoints(job: JobID? = nil, destination: DestinationName? = nil) async throws {
        try await write { db in
            try db.execute(
                sql: """
                    UPDATE upload_job SET resume_point = NULL
                    WHERE (id = ? OR destination = ?) AND resume_point IS NOT NULL
                        AND state NOT IN ('uploading', 'delivered')
                    """,
                arguments: [job, destination])
        }
    }

    /// Queues the jobs that were running when the service stopped.
    ///
    /// - Returns: The number of jobs.
    public func recoverUploads() async throws -> Int {
        try await write { db in
            let ids = try JobID.fetchAll(db, sql: "SELECT id FROM upload_job WHERE state = 'uploading'")
            for id in ids { _ = try UploadJob.apply(.recovered, to: id, db) }
            return ids.count
        }
    }

    /// Returns the time of the next retry of a destination, or `nil` if no job waits for a retry.
    public func nextUploadAttempt(destination: DestinationName) async throws -> Date? {
        try await read { db in
            let next = try db.cachedStatement(
                sql: """
                    SELECT min(next_attempt_at) FROM upload_job WHERE destination = ? AND state = 'retrying'
                    """)
            return try Double.fetchOne(next, arguments: [destination])
                .map(Date.init(timeIntervalSince1970:))
        }
    }

    /// Queues the jobs of a destination that wait for a retry.
    ///
    /// - Parameter isAfterOutage: Whether to queue only jobs that wait because of an outage.
    /// - Returns: The captures of the jobs.
    public func queueRetries(
        destination: DestinationName, isAfterOutage: Bool = false
    ) async throws -> [CaptureID] {
        let reasonCondition = isAfterOutage ? "AND reason = 'outage'" : ""
        return try await write { db in
            try CaptureID.fetchAll(
                db,
                sql: """
                    UPDATE upload_job SET state = 'queued', next_attempt_at = NULL
                    WHERE destination = ? AND state = 'retrying' \(reasonCondition) RETURNING capture_id
                    """, arguments: [destination])
        }
    }

    /// Queues the jobs whose retry is due. Also queues jobs whose retry is later than the longest backoff
    /// allows. Such a retry shows that the clock was set back after the failure.
    private static func queueDue(_ db: Database, _ destination: DestinationName, _ now: Date) throws {
        let latest = now.addingTimeInterval(UploadBackoff.retryAfterMaxSeconds + 60)
        for (condition, date) in [("<=", now), (">", latest)] {
            let queueJobs = try db.cachedStatement(
                sql: """
                    UPDATE upload_job SET state = 'queued', next_attempt_at = NULL
                    WHERE destination = ? AND state = 'retrying' AND next_attempt_at \(condition) ?
                    """)
            try queueJobs.execute(arguments: [destination, date.timeIntervalSince1970])
        }
    }

    private static func claim(_ db: Database, _ request: ClaimRequest, _ now: Date) throws -> [ClaimedUpload]
    {
        let next = try db.cachedStatement(sql: claimSQL(request.order))
        var claimed: [ClaimedUpload] = []
        while claimed.count < request.limit {
            guard var job = try UploadJob.decoded(next, ["destination": request.destination]).first else {
                break
            }
            let isFirstTry = job.claimedAt == nil
            guard job.handle(.claimed(at: now)) == .start else { break }
            try job.save(db)
            guard let photo = try photos(db, where: "capture.id = :id", ["id": job.captureID]).first else {
                break
            }
            claimed.append(ClaimedUpload(job: job, photo: photo, isFirstTry: isFirstTry))
        }
        return claimed
    }

    /// Returns the query for the next job: the oldest or newest photo with the highest priority. The query
    /// needs two lookups in one index. With both criteria in one ORDER BY, SQLite would sort all queued jobs.
    static func claimSQL(_ order: UploadOrder) -> String {
        """
        SELECT * FROM upload_job WHERE destination = :destination AND state = 'queued' AND priority =
            (SELECT max(priority) FROM upload_job WHERE destination = :destination AND state = 'queued')
        ORDER BY capture_id \(order == .capture ? "ASC" : "DESC") LIMIT 1
        """
    }
}
