public import Foundation
public import FrameFastModel
import GRDB

/// The uploads that changed in a review of shots.
public struct ShotReview: Sendable {
    /// The changed jobs.
    public var changes: [UploadChange] = []
    /// The photos with a new job, each with the job's destination.
    public var added: [UnratedUpload] = []
}

/// Reviews of uploads after the ratings of their shots, or the upload mode, have changed.
extension LedgerStore {
    /// Changes those jobs of the shots' files which are neither delivered nor failed. Adds jobs for
    /// destinations that did not accept the rating of a file before.
    ///
    /// All changes are in one durable commit. The ratings are read in the same transaction. An earlier rating
    /// therefore never replaces the result of a later rating, even if two tasks review a shot at the same
    /// time.
    ///
    /// - Parameters:
    ///   - shots: The numbers of the shots, or of one file of each shot.
    ///   - change: Returns the event of a job, or `nil` if the job does not change. The mode is `nil` for a
    ///     photo without a session.
    ///   - plan: Returns the new job, or `nil` if the destination still does not accept the photo.
    ///   - onCommit: Called after the commit and before the next commit. Must return quickly.
    public func reviewUploads(
        of shots: [ShotID], at now: Date,
        change: @escaping @Sendable (OpenUpload, UploadMode?, ShotVerdict) -> UploadJob.Event?,
        plan: @escaping @Sendable (UnplannedPhoto, DestinationName, ShotVerdict) -> UploadPlan?,
        onCommit: @escaping @Sendable (ShotReview) -> Void
    ) async throws -> ShotReview {
        try await write { db in
            var review = ShotReview()
            for shot in shots {
                let number = try Self.currentNumber(of: shot, db) ?? shot
                let verdict = try Self.verdict(db, of: number)
                for (upload, mode) in try Self.openUploads(db, shot: number) {
                    guard let event = change(upload, mode, verdict),
                        let changed = try UploadJob.apply(event, to: upload.job.id, db),
                        changed.action != .nothing
                    else { continue }
                    review.changes.append(changed)
                }
                for (unrated, destination) in try Self.unratedUploads(db, of: number) {
                    guard let job = plan(unrated, destination, verdict),
                        try Self.addJob(db, unrated.photo, job, now, byPerson: false) > 0
                    else { continue }
                    review.added.append(
                        UnratedUpload(captureID: unrated.photo.id, destination: destination))
                }
            }
            return review
        } onCommit: {
            onCommit($0)
        }
    }

    /// Returns those jobs of a shot's files which are neither delivered nor failed, each with the upload mode
    /// of its session. The mode is `nil` for a photo without a session.
    public func openUploads(shot: ShotID) async throws -> [(upload: OpenUpload, mode: UploadMode?)] {
        try await read { db in try Self.openUploads(db, shot: shot) }
    }

    /// The query for the open jobs of a shot. The "+" prevents SQLite from using an index by state. With that
    /// index, SQLite would read all waiting jobs of the ledger.
    static let openUploadsOfShotSQL = """
        SELECT * FROM upload_job WHERE +state IN ('held', 'queued', 'retrying', 'uploading')
        AND capture_id IN (
            SELECT id FROM capture INDEXED BY capture_shot
            WHERE \(Schema.isCapture) AND \(Schema.shot) = :shot)
        ORDER BY id
        """

    private static func openUploads(
        _ db: Database, shot: ShotID
    ) throws -> [(upload: OpenUpload, mode: UploadMode?)] {
        let statement = try db.cachedStatement(sql: openUploadsOfShotSQL)
        return try UploadJob.decoded(statement, ["shot": shot]).compactMap { job in
            try photos(db, where: "capture.id = :id", ["id": job.captureID]) {
                photo, row -> (upload: OpenUpload, mode: UploadMode?) in
                let mode: String? = row["upload_mode"]
                return (
                    upload: OpenUpload(job: job, photo: photo),
                    mode: mode.map { UploadMode(rawValue: $0) ?? .realtime }
                )
            }.first
        }
    }
}
