import Foundation
public import FrameFastModel
import GRDB

/// A read-only connection to the ledger for an audit. The service may run during the audit.
///
/// Each function is one short transaction. A long audit therefore does not stop SQLite from truncating the
/// write-ahead log.
public struct LedgerReader: Sendable {
    /// An upload whose receipt is incomplete or whose photo has no record.
    public struct UploadFault: Hashable, Sendable {
        /// The upload.
        public var job: JobID
        /// The upload's photo.
        public var capture: CaptureID
        /// The upload's destination.
        public var destination: DestinationName
        /// Whether the upload is delivered.
        public var isDelivered: Bool
        /// Whether the photo has a record.
        public var hasPhoto: Bool
    }

    private let database: DatabaseQueue

    /// The condition for records that must have a file. The "+" prevents SQLite from using an index by state.
    /// With that index, SQLite would sort all photos for each page.
    private static let hasFile = "+state IN ('saved', 'publishing') AND cleared_at IS NULL"

    /// Opens the ledger and checks its file.
    ///
    /// Like ``LedgerStore``, accepts the schema of a newer version.
    ///
    /// - Throws: ``StoreError`` if the file is missing, unreadable, damaged or not a ledger, or has the
    ///   schema of an older version.
    public init(path: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(LedgerStore.busyTimeout)
        do {
            database = try DatabaseQueue(path: path, configuration: configuration)
            try LedgerStore.checkIntegrity(database)
            let migrator = Schema.migrator(at: .distantPast)
            guard try database.read({ try migrator.hasCompletedMigrations($0) }) else {
                throw StoreError.unusable(
                    path: path, reason: "an older version wrote it, or it is not a ledger")
            }
        } catch let error as StoreError {
            throw error
        } catch let error as DatabaseError where LedgerStore.isDamage(error) {
            throw StoreError.damaged(path: path, reason: error.message ?? "\(error.resultCode)")
        } catch {
            throw StoreError.unusable(path: path, reason: String(describing: error))
        }
    }

    /// Returns the number and size of the saved photos that are not cleared.
    public func savedPhotos() throws -> (photos: Int, bytes: UInt64) {
        try database.read { db in
            let sums = try Row.fetchCursor(
                db,
                sql: """
                    SELECT count(*) AS photos, coalesce(sum(bytes), 0) AS bytes FROM capture
                    WHERE state = 'saved' AND cleared_at IS NULL
                    """)
            guard let row = try sums.next() else { return (photos: 0, bytes: 0) }
            let (photos, bytes): (Int, Int64) = (row["photos"], row["bytes"])
            return (photos: photos, bytes: UInt64(clamping: bytes))
        }
    }

    /// Returns records that must have a file, in the order of their numbers.
    ///
    /// - Parameter after: The exclusive lower limit of the records' numbers.
    public func photosWithFile(after: CaptureID, limit: Int) throws -> [CaptureRecord] {
        try database.read { db in
            try CaptureRecord.fetch(
                db, where: "\(Self.hasFile) AND id > ? ORDER BY id LIMIT ?", [after, limit])
        }
    }

    /// Returns a record if it must have a file.
    public func photoWithFile(_ id: CaptureID) throws -> CaptureRecord? {
        try database.read { db in
            try CaptureRecord.fetch(db, where: "\(Self.hasFile) AND id = ?", [id]).first
        }
    }

    /// Returns a record, or `nil` if the number is unknown.
    public func capture(_ id: CaptureID) throws -> CaptureRecord? {
        try database.read { db in try CaptureRecord.fetch(db, where: "id = ?", [id]).first }
    }

    /// Calls a function for each path that several records share, with the first and the last of these
    /// records.
    ///
    /// The schema prevents shared paths. Shared paths exist only if a person edited the database.
    public func forEachSharedPath(_ body: (String, CaptureID, CaptureID) -> Void) throws {
        try database.read { db in
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT path, min(id) AS first, max(id) AS last FROM capture
                    WHERE path IS NOT NULL GROUP BY path HAVING count(*) > 1 ORDER BY path
                    """)
            while let row = try rows.next() { body(row["path"], row["first"], row["last"]) }
        }
    }

    /// Calls a function for each upload that has an incomplete receipt or no photo, in order of the upload's
    /// number.
    public func forEachUploadFault(_ body: (UploadFault) -> Void) throws {
        try database.read { db in
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT upload_job.id AS job, capture_id, destination,
                        upload_job.state = 'delivered' AS is_delivered, capture.id IS NOT NULL AS has_photo
                    FROM upload_job LEFT JOIN capture ON capture.id = capture_id
                    WHERE capture.id IS NULL OR (upload_job.state = 'delivered'
                        AND (delivered_at IS NULL OR delivered_name IS NULL OR coalesce(proof, '') = ''))
                    ORDER BY upload_job.id
                    """)
            while let row = try rows.next() {
                body(
                    UploadFault(
                        job: row["job"], capture: row["capture_id"], destination: row["destination"],
                        isDelivered: row["is_delivered"], hasPhoto: row["has_photo"]))
            }
        }
    }
}
