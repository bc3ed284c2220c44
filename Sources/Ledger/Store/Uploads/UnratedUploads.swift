public import FrameFastModel
import GRDB

/// A photo whose rating a destination did not accept.
public struct UnratedUpload: Hashable, Sendable {
    /// The number of the photo.
    public var captureID: CaptureID
    /// The destination.
    public var destination: DestinationName

    /// Creates a value.
    public init(captureID: CaptureID, destination: DestinationName) {
        self.captureID = captureID
        self.destination = destination
    }
}

/// Photos that wait for a rating.
extension LedgerStore {
    /// The SQL condition that a destination did not accept the rating of a row of `capture`.
    static let isUnrated = "EXISTS (SELECT 1 FROM upload_unrated WHERE capture_id = capture.id)"

    /// Returns whether a destination did not accept the rating of a photo.
    public func hasUnratedUpload(_ id: CaptureID) async throws -> Bool {
        try await read { db in
            let find = try db.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM upload_unrated WHERE capture_id = ?)")
            return try Bool.fetchOne(find, arguments: [id]) ?? false
        }
    }

    /// Returns the shots of photos that are protected in the camera, and whose uploads are held or refused
    /// because of the rating. Call this function only at the start of the service, because it reads all these
    /// uploads.
    public func protectedShotsToReview() async throws -> Set<ShotID> {
        try await read { db in
            let shots = try ShotID.fetchAll(
                db,
                sql: """
                    SELECT \(Schema.shot) FROM capture
                    WHERE is_protected = 1 AND \(Schema.isCapture) AND id IN (
                        SELECT capture_id FROM upload_unrated
                        UNION SELECT capture_id FROM upload_job WHERE state = 'held' AND hold = 'unrated'
                        UNION SELECT capture_id FROM upload_job
                            WHERE state = 'uploading' AND hold = 'unrated')
                    """)
            return Set(shots)
        }
    }

    /// Returns the photos of a shot that a destination did not accept because of their rating, each with the
    /// destination and the upload mode of the photo's session. Omits photos that are no longer on this
    /// computer.
    public func unratedUploads(
        of shot: ShotID
    ) async throws -> [(photo: UnplannedPhoto, destination: DestinationName)] {
        try await read { db in try Self.unratedUploads(db, of: shot) }
    }

    static func unratedUploads(
        _ db: Database, of shot: ShotID
    ) throws -> [(photo: UnplannedPhoto, destination: DestinationName)] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT capture_id, destination FROM upload_unrated WHERE capture_id IN (
                    SELECT id FROM capture INDEXED BY capture_shot
                    WHERE \(Schema.isCapture) AND \(Schema.shot) = ?)
                ORDER BY capture_id, destination
                """)
        return try Row.fetchAll(statement, arguments: [shot]).compactMap { row in
            let (id, destination): (CaptureID, DestinationName) = (row["capture_id"], row["destination"])
            let photo = try photos(
                db, where: "capture.id = :id AND \(isUploadable)", ["id": id], make: unplanned
            ).first
            return photo.map { (photo: $0, destination: destination) }
        }
    }

    /// Creates a photo from a row that also has the session's upload mode.
    static func unplanned(_ photo: Photo, _ row: Row) -> UnplannedPhoto {
        let mode: String? = row["upload_mode"]
        return UnplannedPhoto(photo: photo, mode: mode.map { UploadMode(rawValue: $0) ?? .realtime })
    }
}
