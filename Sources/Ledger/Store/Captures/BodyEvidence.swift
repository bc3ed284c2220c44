public import FrameFastModel
import GRDB

/// Queries for cameras that share a serial number: which photos identify a camera, and which records belong
/// to a different camera.
extension LedgerStore {
    /// Returns the number of matching objects for each camera. An object matches if the camera has a record
    /// with the same name, size and time, in any folder. Ignores objects without a time.
    public func countMatches(of objects: [CameraObject], for cameras: [BodyID]) async throws -> [BodyID: Int]
    {
        try await read { db in
            var counts: [BodyID: Int] = [:]
            for camera in cameras {
                counts[camera] = try objects.count {
                    try $0.cameraTime != nil && !CaptureRecord.namesakes(db, of: $0, camera: camera).isEmpty
                }
            }
            return counts
        }
    }

    /// Returns the objects whose bytes the caller can compare with photos of these cameras, smallest first.
    ///
    /// Such an object has the name, size and time of a saved photo or a duplicate. Past photos
    /// (``markAllPast(camera:)``) do not count, because they may be from another camera. Objects that are
    /// neither pictures nor movies are omitted, because several cameras may have identical files.
    ///
    /// - Parameter limit: The maximum number of objects to return for each camera.
    /// - Returns: Each object with the SHA-256 of the matching photos, by camera.
    public func comparableObjects(
        _ objects: [CameraObject], among cameras: [BodyID], limit: Int
    ) async throws -> [(object: CameraObject, sha256: [BodyID: Set<String>])] {
        guard !cameras.isEmpty else { return [] }
        return try await read { db in
            var comparable: [(CameraObject, [BodyID: Set<String>])] = []
            var counts: [BodyID: Int] = [:]
            let media = objects.filter { MediaKind(fileName: $0.name) != .other }
            for object in media.sorted(by: { $0.size < $1.size })
            where cameras.contains(where: { counts[$0, default: 0] < limit }) {
                var hashes: [BodyID: Set<String>] = [:]
                for camera in cameras {
                    let matches = try String.fetchSet(
                        db.cachedStatement(sql: Self.savedHashesSQL),
                        arguments: [
                            camera, SafeName.split(object.name).stem.lowercased(), object.name,
                            Int64(bitPattern: object.size), object.cameraTime ?? CaptureRecord.noCameraTime,
                        ])
                    if !matches.isEmpty { hashes[camera] = matches }
                }
                let matchingCameras = hashes.keys
                guard matchingCameras.contains(where: { counts[$0, default: 0] < limit }) else { continue }
                for camera in matchingCameras { counts[camera, default: 0] += 1 }
                comparable.append((object, hashes))
            }
            return comparable
        }
    }

    /// The query for the SHA-256 of a camera's photos with the same name, size and time. A duplicate has the
    /// bytes of its original. If the file of a photo was edited, the camera still has the unedited bytes.
    private static let savedHashesSQL = """
        SELECT coalesce(own.original_sha256, own.sha256, original.original_sha256, original.sha256)
            FROM capture AS own
            LEFT JOIN capture AS original ON own.state = 'duplicate' AND original.id = own.twin_id
        WHERE own.camera_id = ? AND own.stem = ? AND own.name = ? AND own.size = ? AND own.camera_time = ?
            AND own.is_past = 0 AND own.state IN ('saved', 'duplicate')
            AND coalesce(own.sha256, original.sha256) IS NOT NULL
        """

    /// Deletes records of unfetched photos that match a photo of another camera. The service calls this
    /// function after it has confused two cameras with the same serial number.
    ///
    /// A match has the same name, and at least two equal values among folder, size and time. The driver may
    /// have misread one of these values. If a deleted record was a different photo, the next listing adds the
    /// photo again.
    ///
    /// - Parameters:
    ///   - ids: The records to check.
    ///   - cameras: The other cameras.
    /// - Returns: The numbers of the deleted records.
    public func forgetKnown(_ ids: [CaptureID], elsewhere cameras: some Sequence<BodyID>) async throws -> Set<
        CaptureID
    > {
        let cameras = Array(cameras)
        guard !ids.isEmpty, !cameras.isEmpty else { return [] }
        return try await write { db in
            let delete = try db.cachedStatement(
                sql: """
                    DELETE FROM capture WHERE id = ? AND state = 'seen' AND EXISTS (
                        SELECT 1 FROM capture AS other WHERE other.camera_id = ? AND other.stem = capture.stem
                            AND other.name = capture.name AND other.state <> 'skipped'
                            AND (other.folder = capture.folder) + (other.size = capture.size)
                                + (other.camera_time = capture.camera_time) >= 2)
                    """)
            return try Set(
                ids.filter { id in
                    try cameras.contains { camera in
                        try delete.execute(arguments: [id, camera])
                        return db.changesCount > 0
                    }
                })
        }
    }
}
