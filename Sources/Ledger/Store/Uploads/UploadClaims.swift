public import Foundation
public import FrameFastModel
import GRDB

/// What became of a job, and what is to be done about it.
public struct UploadChange: Hashable, Sendable {
    /// The job as it is now.
    public var job: UploadJob
    /// What is to be done.
    public var action: UploadJob.Action

    /// Creates a change.
    public init(job: UploadJob, action: UploadJob.Action) {
        self.job = job
        self.action = action
    }
}

/// In which order a destination's jobs start.
public enum UploadOrder: String, Codable, Hashable, Sendable, CaseIterable {
    /// As the photos were taken.
    case capture
    /// The newest photo first.
    case newestFirst = "newest-first"
}

/// A job that was claimed, with its photo.
public struct ClaimedUpload: Hashable, Sendable {
    /// The job, `uploading`.
    public var job: UploadJob
    /// Its photo.
    public var photo: Photo
    /// Whether the job was never claimed before: nothing of it can be at the destination.
    public var isFirstTry: Bool

    /// Creates a claim.
    public init(job: UploadJob, photo: Photo, isFirstTry: Bool = false) {
        self.job = job
        self.photo = photo
        self.isFirstTry = isFirstTry
    }
}

/// Taking jobs, and bringing them back.
extension LedgerStore {
    /// How a worker's try ended: goes into one commit with its next claim.
    public struct UploadOutcome: Hashable, Sendable {
        /// The job.
        public var jobID: JobID
        /// What happened.
        public var event: UploadJob.Event

        /// Creates an outcome.
        public init(jobID: JobID, event: UploadJob.Event) {
            self.jobID = jobID
            self.event = event
        }
    }

    /// Which jobs are wanted.
    public struct ClaimRequest: Hashable, Sendable {
        /// The destination.
        public var destination: DestinationName
        /// Most jobs.
        public var limit: Int
        /// In which order.
        public var order: UploadOrder

        /// Creates a request.
        public init(destination: DestinationName, limit: Int, order: UploadOrder) {
            self.destination = destination
            self.limit = limit
            self.order = order
        }
    }

    /// Writes down how tries ended and claims the next jobs, in one durable commit.
    public func settle(
        _ outcomes: [UploadOutcome], claiming request: ClaimRequest?, at now: Date
    ) async throws -> (changes: [UploadChange], claimed: [ClaimedUpload]) {
        try await write { db in
            let changes = try outcomes.compactMap { outcome in
                try UploadJob.apply(outcome.event, to: outcome.jobID, db)
            }
            guard let request, request.limit > 0 else { return (changes, []) }
            try Self.wakeDue(db, request.destination, now)
            return (changes, try Self.claim(db, request, now))
        }
    }

    /// Notes how far an upload is, for the next try. Only while the job runs.
    public func saveResumePoint(_ point: String?, job: JobID) async throws {
        try await write { db in
            try db.execute(
                sql: "UPDATE upload_job SET resume_point = ? WHERE id = ? AND state = 'uploading'",
                arguments: [point, job])
        }
    }

    /// Forgets where attempts of this job ended, or of all jobs of a destination: the next attempts start over. A running
    /// attempt keeps its own.
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

    /// Brings back the jobs that were running when the service ended.
    ///
    /// - Returns: how many.
    public func recoverUploads() async throws -> Int {
        try await write { db in
            let ids = try JobID.fetchAll(db, sql: "SELECT id FROM upload_job WHERE state = 'uploading'")
            for id in ids { _ = try UploadJob.apply(.recovered, to: id, db) }
            return ids.count
        }
    }

    /// When the next waiting job of a destination may start; `nil` when none waits.
    public func nextUploadAttempt(destination: DestinationName) async throws -> Date? {
        try await read { db in
            try Double.fetchOne(
                db,
                sql:
                    "SELECT min(next_attempt_at) FROM upload_job WHERE destination = ? AND state = 'retrying'",
                arguments: [destination]
            ).map(Date.init(timeIntervalSince1970:))
        }
    }

    /// Starts jobs of a destination that wait for their next attempt.
    ///
    /// - Parameter isAfterOutage: Whether to start only jobs that an outage made wait.
    /// - Returns: The captures of the jobs.
    public func wakeWaiting(
        destination: DestinationName, isAfterOutage: Bool = false
    ) async throws -> [CaptureID] {
        let which = isAfterOutage ? "AND reason = 'outage'" : ""
        return try await write { db in
            try CaptureID.fetchAll(
                db,
                sql: """
                    UPDATE upload_job SET state = 'queued', next_attempt_at = NULL
                    WHERE destination = ? AND state = 'retrying' \(which) RETURNING capture_id
                    """, arguments: [destination])
        }
    }

    /// What is due starts. A clock that was set back must not keep a job for years: what would wait longer than any
    /// wait is due as well.
    private static func wakeDue(_ db: Database, _ destination: DestinationName, _ now: Date) throws {
        let latest = now.addingTimeInterval(UploadBackoff.retryAfterMaxSeconds + 60)
        for (condition, date) in [("<=", now), (">", latest)] {
            let wake = try db.cachedStatement(
                sql: """
                    UPDATE upload_job SET state = 'queued', next_attempt_at = NULL
                    WHERE destination = ? AND state = 'retrying' AND next_attempt_at \(condition) ?
                    """)
            try wake.execute(arguments: [destination, date.timeIntervalSince1970])
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

    /// The next job: of the highest priority, the first or the last photo. Two looks into one index; with both in
    /// one ORDER BY SQLite would sort every queued job.
    static func claimSQL(_ order: UploadOrder) -> String {
        """
        SELECT * FROM upload_job WHERE destination = :destination AND state = 'queued' AND priority =
            (SELECT max(priority) FROM upload_job WHERE destination = :destination AND state = 'queued')
        ORDER BY capture_id \(order == .capture ? "ASC" : "DESC") LIMIT 1
        """
    }
}
