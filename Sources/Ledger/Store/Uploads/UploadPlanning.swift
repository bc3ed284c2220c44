public import Foundation
public import FrameFastModel
import GRDB

/// A photo whose uploads are not planned yet.
public struct UnplannedPhoto: Hashable, Sendable {
    /// The photo.
    public var photo: Photo
    /// The upload mode of its session, or `nil` if the photo has no session.
    public var mode: UploadMode?
}

/// A job to add for a photo.
public struct UploadPlan: Hashable, Sendable {
    /// The destination.
    public var destination: DestinationName
    /// Whether the job is queued or held.
    public var decision: UploadDecision
    /// The file name at the destination.
    public var remoteName: String

    /// Creates a plan.
    public init(destination: DestinationName, decision: UploadDecision, remoteName: String) {
        self.destination = destination
        self.decision = decision
        self.remoteName = remoteName
    }
}

/// A job that is neither delivered nor failed, with its photo.
public struct OpenUpload: Hashable, Sendable {
    /// The job.
    public var job: UploadJob
    /// The job's photo.
    public var photo: Photo
}

/// Adding and updating jobs.
extension LedgerStore {
    /// The SQL condition that a photo does not wait for its second read. A photo that waits must not be
    /// uploaded, because its bytes may be wrong.
    private static let isSettled = "coalesce(verified, '') <> 'awaiting_reread'"

    /// Returns saved photos whose uploads are not planned yet, in the order of their numbers.
    public func unplannedUploads(limit: Int) async throws -> [UnplannedPhoto] {
        try await read { db in
            try Self.photos(
                db, index: "INDEXED BY capture_unplanned",
                where: """
                    capture.state = 'saved' AND uploads_planned = 0 AND \(Self.isSettled)
                    ORDER BY capture.id LIMIT :limit
                    """,
                ["limit": limit], make: Self.unplanned)
        }
    }

    /// Adds the jobs of photos and marks the photos as planned, in one durable commit. Skips photos that are
    /// already planned, because another task may have planned them with newer ratings.
    ///
    /// - Parameter unrated: The photos whose rating a destination does not accept.
    /// - Returns: The number of new jobs.
    public func planUploads(
        _ plans: [(photo: Photo, jobs: [UploadPlan])], unrated: [UnratedUpload] = [], at now: Date
    ) async throws -> Int {
        try await write { db in
            let refused = try db.cachedStatement(
                sql: "INSERT OR IGNORE INTO upload_unrated (capture_id, destination) VALUES (?, ?)")
            let planned = try db.cachedStatement(
                sql: """
                    UPDATE capture SET uploads_planned = 1, rating = coalesce(?, rating)
                    WHERE id = ? AND uploads_planned = 0
                    """)
            var added = 0
            var new: Set<CaptureID> = []
            for (photo, jobs) in plans {
                let record = photo.record
                try planned.execute(arguments: [record.rating, record.id])
                guard db.changesCount > 0 else { continue }
                new.insert(record.id)
                for plan in jobs { added += try Self.addJob(db, photo, plan, now, byPerson: false) }
            }
            for upload in unrated where new.contains(upload.captureID) {
                try refused.execute(arguments: [upload.captureID, upload.destination])
            }
            return added
        }
    }

    /// Adds jobs that the user requested. Releases or retries a job that already exists and is not
    /// delivered.
    ///
    /// - Returns: The number of jobs that are new or were released or retried.
    public func addUploads(_ plans: [(photo: Photo, jobs: [UploadPlan])], at now: Date) async throws
        -> Int
    {
        try await write { db in
            var added = 0
            let isHere = try db.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM capture WHERE id = ? AND cleared_at IS NULL)")
            for (photo, jobs) in plans {
                guard try Bool.fetchOne(isHere, arguments: [photo.id]) == true else { continue }
                for plan in jobs { added += try Self.addJob(db, photo, plan, now, byPerson: true) }
            }
            return added
        }
    }

    /// Returns saved photos for which a person can add uploads, oldest first. Unsorted photos
    /// (``CaptureRecord/isUnsorted``) may belong to an earlier client, so the result includes only the
    /// unsorted photos in `ids`.
    ///
    /// - Parameters:
    ///   - after: The exclusive lower limit of the photos' numbers.
    ///   - camera: The camera's ID in the fleet.
    ///   - ids: The photos to return, or `nil` for all.
    public func uploadablePhotos(
        after: CaptureID, limit: Int, session: SessionID? = nil, camera: CameraID? = nil,
        ids: [CaptureID]? = nil
    ) async throws -> [Photo] {
        try await read { db in
            let query = Self.uploadableQuery(
                after: after, limit: limit, session: session, camera: camera, ids: ids)
            return try Self.photos(db, index: query.index, where: query.condition, query.arguments) {
                photo, _ in photo
            }
        }
    }

    /// Returns the query of ``uploadablePhotos(after:limit:session:camera:ids:)``.
    static func uploadableQuery(
        after: CaptureID, limit: Int, session: SessionID? = nil, camera: CameraID? = nil,
        ids: [CaptureID]? = nil
    ) -> (index: String, condition: String, arguments: StatementArguments) {
        var condition = "capture.id > :after AND \(Self.isUploadable)"
        if session != nil { condition += " AND capture.session_id = :session" }
        if camera != nil { condition += " AND capture.camera_id IN (\(Self.bodies))" }
        condition +=
            ids == nil
            ? " AND capture.is_unsorted = 0" : " AND capture.id IN (SELECT value FROM json_each(:ids))"
        var arguments: StatementArguments = ["after": after, "limit": limit]
        if let session { arguments += ["session": session] }
        if let camera { arguments += ["camera": camera] }
        if let ids { arguments += ["ids": Self.list(of: ids)] }
        // SQLite does not know the length of the list, and would read all saved photos through an index.
        return (ids == nil ? "" : "NOT INDEXED", condition + " ORDER BY capture.id LIMIT :limit", arguments)
    }

    /// The SQL condition that a person can add uploads of a photo.
    static let isUploadable =
        "capture.state = 'saved' AND cleared_at IS NULL AND \(isSettled)"

    /// Returns the number of unsorted photos that ``uploadablePhotos(after:limit:session:camera:ids:)``
    /// omits. Counts a photo only if at least one of these destinations has no delivered or pending upload of
    /// the photo.
    ///
    /// - Parameter camera: The camera's ID in the fleet.
    public func unsortedPhotos(camera: CameraID? = nil, missingAt destinations: [DestinationName])
        async throws -> Int
    {
        guard !destinations.isEmpty else { return 0 }
        return try await read { db in
            var arguments: StatementArguments = [:]
            let missing = destinations.enumerated().map { index, destination in
                arguments += ["to\(index)": destination]
                return """
                    NOT EXISTS (SELECT 1 FROM upload_job WHERE capture_id = capture.id AND destination = :to\(index)
                        AND upload_job.state IN ('queued', 'uploading', 'retrying', 'delivered'))
                    """
            }
            var condition =
                "\(Self.isUploadable) AND is_unsorted = 1 AND (\(missing.joined(separator: " OR ")))"
            if let camera {
                condition += " AND capture.camera_id IN (\(Self.bodies))"
                arguments += ["camera": camera]
            }
            return try Int.fetchOne(
                db, sql: "SELECT count(*) FROM capture WHERE \(condition)", arguments: arguments) ?? 0
        }
    }

    /// The query for open jobs. Without `INDEXED BY`, SQLite would scan the whole table for a large session,
    /// although most jobs are complete.
    static let openUploadsSQL = """
        SELECT * FROM upload_job INDEXED BY upload_job_open
        WHERE session_id IS :session AND id > :after AND state IN ('held', 'queued', 'retrying', 'uploading')
        ORDER BY id LIMIT :limit
        """

    /// Returns the jobs of a session that are neither delivered nor failed, in the order of their numbers.
    ///
    /// - Parameter session: The session, or `nil` for photos without a session.
    public func openUploads(session: SessionID?, after: JobID, limit: Int) async throws -> [OpenUpload] {
        try await read { db in
            let statement = try db.cachedStatement(sql: Self.openUploadsSQL)
            let jobs = try UploadJob.decoded(
                statement, ["session": session, "after": after, "limit": limit])
            return try jobs.compactMap { job in
                try Self.photos(db, where: "capture.id = :id", ["id": job.captureID]).first
                    .map { OpenUpload(job: job, photo: $0) }
            }
        }
    }

    /// Applies each outcome's event to its job, in one durable commit.
    ///
    /// - Parameter onCommit: Called after the commit and before the next commit. Must return quickly.
    public func applyToUploads(
        _ outcomes: [UploadOutcome], onCommit: @escaping @Sendable ([UploadChange]) -> Void = { _ in }
    ) async throws -> [UploadChange] {
        try await write { db in
            try outcomes.compactMap { try UploadJob.apply($0.event, to: $0.jobID, db) }
        } onCommit: {
            onCommit($0)
        }
    }

    /// Saves the rating that was found in a photo's file.
    public func saveRating(_ rating: Int, capture id: CaptureID) async throws {
        try await write { db in
            try db.execute(sql: "UPDATE capture SET rating = ? WHERE id = ?", arguments: [rating, id])
        }
    }

    static func addJob(
        _ db: Database, _ photo: Photo, _ plan: UploadPlan, _ now: Date, byPerson: Bool
    ) throws -> Int {
        let (state, hold, priority) =
            switch plan.decision {
            case .queued(let priority): ("queued", "", priority)
            case .held(let hold):
                ("held", hold.rawValue, hold == .jpegFirst ? UploadModePolicy.rawPriority : 0)
            }
        let insert = try db.cachedStatement(
            sql: """
                INSERT INTO upload_job (capture_id, destination, state, hold, is_released, priority, remote_name,
                    kind, session_id, camera_id, bytes, created_at)
                VALUES (:capture, :destination, :state, :hold, :byPerson, :priority, :name, :kind, :session,
                    :camera, :bytes, :now)
                ON CONFLICT (capture_id, destination) DO NOTHING
                """)
        let record = photo.record
        try insert.execute(arguments: [
            "capture": record.id, "destination": plan.destination, "state": state, "hold": hold,
            "byPerson": byPerson, "priority": priority, "name": plan.remoteName,
            "kind": record.kind.rawValue, "session": record.sessionID, "camera": record.bodyID,
            "bytes": Int64(bitPattern: record.size),
            "now": now.timeIntervalSince1970,
        ])
        if db.changesCount > 0 {
            try db.cachedStatement(
                sql: "DELETE FROM upload_unrated WHERE capture_id = ? AND destination = ?"
            ).execute(arguments: [record.id, plan.destination])
            return 1
        }
        guard byPerson else { return 0 }
        let there = try UploadJob.fetch(
            db, where: "capture_id = ? AND destination = ?", [record.id, plan.destination])
        return try there.count { job in
            let event: UploadJob.Event = job.hold != nil ? .released(byPerson: true) : .retried
            return try UploadJob.apply(event, to: job.id, db)?.action == .store
        }
    }

    static func photos(
        _ db: Database, where condition: String, _ arguments: StatementArguments
    ) throws -> [Photo] {
        try photos(db, where: condition, arguments) { photo, _ in photo }
    }

    /// Returns photos that match a condition, converted by `make`.
    ///
    /// - Parameters:
    ///   - index: An `INDEXED BY` or `NOT INDEXED` clause, if SQLite would otherwise choose a slower index.
    ///   - make: Converts a photo and its row, which also has the session's upload mode.
    static func photos<Value>(
        _ db: Database, index: String = "", where condition: String, _ arguments: StatementArguments,
        make: (Photo, Row) -> Value
    ) throws -> [Value] {
        let statement = try db.cachedStatement(sql: Photo.sql(index: index, where: condition))
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        var values: [Value] = []
        while let row = try rows.next() { values.append(make(Photo(row: row), row)) }
        return values
    }
}
