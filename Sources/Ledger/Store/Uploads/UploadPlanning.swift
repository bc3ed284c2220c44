public import Foundation
public import FrameFastModel
import GRDB

/// A photo with what modes and rules look at.
public struct UploadPhoto: Hashable, Sendable {
    /// The photo.
    public var capture: CaptureRecord
    /// What modes and rules look at.
    public var facts: PhotoFacts
    /// How the session uploads; `nil` without a session.
    public var mode: UploadMode?

    /// Creates a photo.
    public init(capture: CaptureRecord, facts: PhotoFacts, mode: UploadMode?) {
        self.capture = capture
        self.facts = facts
        self.mode = mode
    }
}

/// One job that is to be entered.
public struct UploadPlan: Hashable, Sendable {
    /// The destination.
    public var destination: DestinationName
    /// Whether it may start.
    public var verdict: UploadVerdict
    /// The name there.
    public var remoteName: String

    /// Creates a plan.
    public init(destination: DestinationName, verdict: UploadVerdict, remoteName: String) {
        self.destination = destination
        self.verdict = verdict
        self.remoteName = remoteName
    }
}

/// A job that is neither delivered nor failed, with its photo.
public struct OpenUpload: Hashable, Sendable {
    /// The job.
    public var job: UploadJob
    /// Its photo.
    public var photo: UploadPhoto
}

/// Entering jobs, and judging them again.
extension LedgerStore {
    /// No upload may go out wrong: it waits for the second reading where there is to be one.
    private static let isSettled = "coalesce(verified, '') <> 'awaiting_reread'"

    /// Saved photos that nobody decided on yet, in the order in which they were taken.
    public func unplannedUploads(limit: Int) async throws -> [UploadPhoto] {
        try await read { db in
            try Self.photos(
                db, index: "INDEXED BY capture_unplanned",
                where: """
                    capture.state = 'saved' AND uploads_planned = 0 AND \(Self.isSettled)
                    ORDER BY capture.id LIMIT :limit
                    """,
                ["limit": limit])
        }
    }

    /// Enters the jobs of photos and marks these as decided, in one durable commit. Repeating it changes nothing.
    ///
    /// - Returns: how many jobs are new.
    public func planUploads(_ plans: [(photo: UploadPhoto, jobs: [UploadPlan])], at now: Date) async throws
        -> Int
    {
        try await write { db in
            let planned = try db.cachedStatement(
                sql: """
                    UPDATE capture SET uploads_planned = 1, rating = coalesce(?, rating),
                        is_protected = coalesce(?, is_protected) WHERE id = ?
                    """)
            var entered = 0
            for (photo, jobs) in plans {
                for plan in jobs { entered += try Self.enter(db, photo, plan, now, byPerson: false) }
                try planned.execute(arguments: [
                    photo.facts.rating, photo.facts.isProtected, photo.capture.id,
                ])
            }
            return entered
        }
    }

    /// Enters a job because a person wants it, or brings it to the start when it is there and not done.
    ///
    /// - Returns: how many jobs are new or go on.
    public func addUploads(_ plans: [(photo: UploadPhoto, jobs: [UploadPlan])], at now: Date) async throws
        -> Int
    {
        try await write { db in
            var added = 0
            let isHere = try db.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM capture WHERE id = ? AND cleared_at IS NULL)")
            for (photo, jobs) in plans {
                guard try Bool.fetchOne(isHere, arguments: [photo.capture.id]) == true else { continue }
                for plan in jobs { added += try Self.enter(db, photo, plan, now, byPerson: true) }
            }
            return added
        }
    }

    /// Saved photos that may be added late, oldest first.
    ///
    /// - Parameters:
    ///   - after: Only photos with a higher ledger number.
    ///   - camera: By its id in the fleet.
    ///   - ids: Only these photos.
    public func uploadablePhotos(
        after: CaptureID, limit: Int, session: SessionID? = nil, camera: CameraID? = nil,
        ids: [CaptureID]? = nil
    ) async throws -> [UploadPhoto] {
        try await read { db in
            var condition =
                "capture.id > :after AND capture.state = 'saved' AND cleared_at IS NULL AND \(Self.isSettled)"
            if session != nil { condition += " AND capture.session_id = :session" }
            if camera != nil {
                condition +=
                    " AND capture.camera_id IN (\(Self.bodies))"
            }
            if let ids {
                condition += " AND capture.id IN (\(ids.map(\.description).joined(separator: ",")))"
            }
            var arguments: StatementArguments = ["after": after, "limit": limit]
            if let session { arguments += ["session": session] }
            if let camera { arguments += ["camera": camera] }
            return try Self.photos(db, where: condition + " ORDER BY capture.id LIMIT :limit", arguments)
        }
    }

    /// With statistics at hand SQLite would walk the whole table for a large session: it does not know that what is
    /// done is most of it.
    static let openUploadsSQL = """
        SELECT * FROM upload_job INDEXED BY upload_job_open
        WHERE session_id IS :session AND id > :after AND state IN ('held', 'queued', 'retrying', 'uploading')
        ORDER BY id LIMIT :limit
        """

    /// Jobs of a session that are neither delivered nor failed, by number.
    ///
    /// - Parameter session: `nil` for photos without a session.
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

    /// Lets something happen to each of these jobs, in one durable commit.
    public func applyToUploads(_ outcomes: [UploadOutcome]) async throws -> [UploadChange] {
        try await write { db in try outcomes.compactMap { try UploadJob.apply($0.event, to: $0.jobID, db) } }
    }

    /// Keeps what was found in a photo's file.
    public func saveRating(_ rating: Int, capture id: CaptureID) async throws {
        try await write { db in
            try db.execute(sql: "UPDATE capture SET rating = ? WHERE id = ?", arguments: [rating, id])
        }
    }

    private static func enter(
        _ db: Database, _ photo: UploadPhoto, _ plan: UploadPlan, _ now: Date, byPerson: Bool
    ) throws -> Int {
        let (state, hold, priority) =
            switch plan.verdict {
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
        try insert.execute(arguments: [
            "capture": photo.capture.id, "destination": plan.destination, "state": state, "hold": hold,
            "byPerson": byPerson, "priority": priority, "name": plan.remoteName,
            "kind": photo.facts.kind.rawValue, "session": photo.capture.sessionID,
            "camera": photo.capture.bodyID, "bytes": Int64(bitPattern: photo.facts.bytes),
            "now": now.timeIntervalSince1970,
        ])
        if db.changesCount > 0 { return 1 }
        guard byPerson else { return 0 }
        let there = try UploadJob.fetch(
            db, where: "capture_id = ? AND destination = ?", [photo.capture.id, plan.destination])
        return try there.count { job in
            let event: UploadJob.Event = job.hold != nil ? .released(byPerson: true) : .retried
            return try UploadJob.apply(event, to: job.id, db)?.action == .store
        }
    }

    /// - Parameter index: Which index to use, where SQLite without statistics would take another.
    static func photos(
        _ db: Database, index: String = "", where condition: String, _ arguments: StatementArguments
    ) throws -> [UploadPhoto] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT capture.*, camera.name AS camera_name, session.name AS session_name, session.upload_mode
                FROM capture \(index) LEFT JOIN camera ON camera.id = capture.camera_id
                LEFT JOIN session ON session.id = capture.session_id WHERE \(condition)
                """)
        let photos = try Row.fetchCursor(statement, arguments: arguments).map { row in
            let capture = CaptureRecord(row: row)
            return UploadPhoto(
                capture: capture,
                facts: PhotoFacts(
                    name: capture.object.name, kind: MediaKind(fileName: capture.object.name),
                    camera: row["camera_name"] ?? capture.bodyID.rawValue, session: row["session_name"],
                    bytes: capture.bytes ?? 0, rating: row["rating"], isProtected: row["is_protected"]),
                mode: (row["upload_mode"] as String?).map { UploadMode(rawValue: $0) ?? .realtime })
        }
        return try Array(photos)
    }
}
