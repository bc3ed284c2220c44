public import Foundation
public import FrameFastModel
import GRDB

/// Photos before publishing: announced or listed photos, failed photos and photos that were set aside.
extension LedgerStore {
    /// Adds a record for each new object, in the given order.
    ///
    /// An object already has a record if camera, folder, name, size and camera time match those of a photo
    /// that is not past. The name alone is not sufficient, because file numbers wrap around and cards are
    /// reformatted.
    ///
    /// A new object may be the same photo as an existing capture. The ledger then links it to the capture by
    /// `duplicateOf`, and ``beginPublishing(_:naming:)`` later compares the bytes. There are two cases:
    /// - Only the folder differs, for example with a second card slot, or after the driver misread the
    ///   folder.
    /// - The existing capture is a past photo (``markAllPast(camera:)``).
    ///
    /// If all matching photos are `skipped`, a new object that has a camera time is skipped as well.
    ///
    /// - Parameters:
    ///   - state: `seen`, or `skipped` for objects that were on the card at the first connection and must not
    ///     be fetched.
    ///   - zone: The time zone of the camera's clock.
    ///   - place: Returns the session assignment of an object.
    /// - Returns: The new records in state `state`.
    public func recordSeen(
        _ objects: [CameraObject], camera: BodyID, zone: TimeZone? = nil, at now: Date,
        as state: CaptureRecord.State = .seen,
        place: @escaping @Sendable (CameraObject) -> SessionTimeline.Assignment
    ) async throws -> [CaptureRecord] {
        try await write { db in
            let insert = try db.cachedStatement(
                sql: """
                    INSERT INTO capture (camera_id, folder, name, stem, size, camera_time, state, session_id, detected_at,
                        is_protected, is_unsorted, is_photo, zone)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                    """)
            return try objects.compactMap { object in
                let place = place(object)
                try insert.execute(arguments: [
                    camera, object.folder, object.name, SafeName.split(object.name).stem.lowercased(),
                    Int64(bitPattern: object.size), object.cameraTime ?? CaptureRecord.noCameraTime,
                    state.rawValue,
                    place.session, now.timeIntervalSince1970, object.isProtected, place.isUnsorted,
                    MediaKind(fileName: object.name) != .other, zone?.identifier,
                ])
                guard db.changesCount > 0 else { return nil }
                var record = CaptureRecord(
                    id: CaptureID(rawValue: db.lastInsertedRowID), bodyID: camera, object: object,
                    state: state,
                    sessionID: place.session,
                    detectedAt: now)
                record.isUnsorted = place.isUnsorted
                record.zone = zone
                try Self.linkMatch(of: &record, db)
                return record.state == state ? record : nil
            }
        }
    }

    /// Adds a record for each new object. All objects belong to the same session.
    public func recordSeen(
        _ objects: [CameraObject], camera: BodyID, session: SessionID?, at now: Date,
        as state: CaptureRecord.State = .seen
    ) async throws -> [CaptureRecord] {
        try await recordSeen(objects, camera: camera, at: now, as: state) { _ in .init(session) }
    }

    private static func linkMatch(of record: inout CaptureRecord, _ db: Database) throws {
        let id = record.id
        let matches = try CaptureRecord.namesakes(db, of: record.object, camera: record.bodyID)
            .filter { $0.id != id }
        guard let match = matches.first else { return }
        record.duplicateOf = match.id
        // Skips only objects with a time. Without a time, a new photo may have the same name and size.
        if record.object.cameraTime != nil, matches.allSatisfy({ $0.state == .skipped }) {
            record.state = .skipped
        }
        let link = try db.cachedStatement(sql: "UPDATE capture SET state = ?, twin_id = ? WHERE id = ?")
        try link.execute(arguments: [record.state.rawValue, record.duplicateOf, record.id])
    }

    /// Records that photos are now protected in the camera. The protection of a duplicate applies to its
    /// original. If the camera later removes the protection, the record stays protected.
    ///
    /// Changes no upload, because the effect on uploads depends on the upload mode of the photo's session.
    ///
    /// - Returns: The photos that were not protected before.
    public func recordProtected(_ objects: [CameraObject], camera: BodyID) async throws -> [CaptureRecord] {
        guard !objects.isEmpty else { return [] }
        let matches = try await read { db in
            try objects.flatMap { object in
                try CaptureRecord.fetch(
                    db,
                    where: """
                        id IN (SELECT CASE state WHEN 'duplicate' THEN twin_id ELSE id END FROM capture
                            WHERE camera_id = ? AND folder = ? AND name = ? AND size = ? AND camera_time = ?
                                AND is_past = 0)
                        AND is_protected IS NOT 1
                        """,
                    [
                        camera, object.folder, object.name, Int64(bitPattern: object.size),
                        object.cameraTime ?? CaptureRecord.noCameraTime,
                    ])
            }
        }
        guard !matches.isEmpty else { return [] }
        return try await write { db in
            for record in matches {
                try db.execute(
                    sql: "UPDATE capture SET is_protected = 1 WHERE id = ?", arguments: [record.id])
            }
            return try matches.flatMap { try CaptureRecord.fetch(db, where: "id = ?", [$0.id]) }
        }
    }

    /// Changes a skipped photo to state `seen`, because the camera announced it as new.
    ///
    /// - Returns: The photo, or an empty array if the photo was not skipped.
    public func unskip(_ object: CameraObject, camera: BodyID) async throws -> [CaptureRecord] {
        try await write { db in
            let skipped = try CaptureRecord.fetch(
                db,
                where: """
                    state = 'skipped' AND camera_id = ? AND folder = ? AND name = ? AND size = ? AND camera_time = ?
                        AND is_past = 0
                    """,
                [
                    camera, object.folder, object.name, Int64(bitPattern: object.size),
                    object.cameraTime ?? CaptureRecord.noCameraTime,
                ])
            return try skipped.map { record in
                try db.execute(sql: "UPDATE capture SET state = 'seen' WHERE id = ?", arguments: [record.id])
                var record = record
                record.state = .seen
                return record
            }
        }
    }

    /// Returns the record of an object, or `nil` if the object has no record.
    public func capture(of object: CameraObject, camera: BodyID) async throws -> CaptureRecord? {
        try await read { db in
            try CaptureRecord.fetch(
                db,
                where:
                    "camera_id = ? AND folder = ? AND name = ? AND size = ? AND camera_time = ? AND is_past = 0",
                [
                    camera, object.folder, object.name, Int64(bitPattern: object.size),
                    object.cameraTime ?? CaptureRecord.noCameraTime,
                ]
            ).first
        }
    }

    /// Returns the photos of a camera that were not fetched yet, oldest first.
    public func pending(camera: BodyID) async throws -> [CaptureRecord] {
        try await read { db in
            try CaptureRecord.fetch(db, where: "camera_id = ? AND state = 'seen' ORDER BY id", [camera])
        }
    }

    /// Marks all saved photos of a camera as past. A new object with the name, size and time of a past photo
    /// then gets its own record.
    ///
    /// Call this function if the camera restarts its file names, or if the photos may be from another camera
    /// with the same serial number.
    public func markAllPast(camera: BodyID) async throws {
        try await write { db in
            try db.execute(
                sql: """
                    UPDATE capture SET is_past = 1
                    WHERE camera_id = ? AND is_past = 0 AND state IN ('saved', 'publishing', 'duplicate')
                    """, arguments: [camera])
        }
    }

    /// Marks a photo as past before the camera deletes it, or removes the mark if the camera still has the
    /// photo. An object with the name, size and time of a past photo may be another photo.
    public func markPast(id: CaptureID, _ isPast: Bool) async throws {
        try await write { db in
            let update = try db.cachedStatement(sql: "UPDATE OR IGNORE capture SET is_past = ? WHERE id = ?")
            try update.execute(arguments: [isPast, id])
        }
    }

    /// Returns whether another duplicate has the same original, folder, name, size and time, and is marked as
    /// past although the camera did not confirm its deletion.
    public func hasUnconfirmedDeletion(like duplicate: CaptureRecord) async throws -> Bool {
        try await read { db in
            let object = duplicate.object
            return try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM capture
                        WHERE camera_id = ? AND stem = ? AND folder = ? AND name = ? AND size = ?
                            AND camera_time = ? AND state = 'duplicate' AND twin_id = ? AND is_past = 1
                            AND deleted_on_camera_at IS NULL AND id <> ?)
                    """,
                arguments: [
                    duplicate.bodyID, SafeName.split(object.name).stem.lowercased(), object.folder,
                    object.name, Int64(bitPattern: object.size),
                    object.cameraTime ?? CaptureRecord.noCameraTime, duplicate.duplicateOf, duplicate.id,
                ]) ?? false
        }
    }

    /// Deletes records of unfetched photos that have the folder, name, size and time of a past photo. The
    /// camera announced such a photo twice, and does not have the photo any more.
    ///
    /// - Returns: The numbers of the deleted records.
    public func forgetReannounced(_ ids: [CaptureID]) async throws -> Set<CaptureID> {
        guard !ids.isEmpty else { return [] }
        return try await write { db in
            let delete = try db.cachedStatement(
                sql: """
                    DELETE FROM capture WHERE id = ? AND state = 'seen' AND EXISTS (
                        SELECT 1 FROM capture AS past WHERE past.camera_id = capture.camera_id
                            AND past.stem = capture.stem AND past.folder = capture.folder
                            AND past.name = capture.name AND past.size = capture.size
                            AND past.camera_time = capture.camera_time AND past.is_past = 1)
                    """)
            return try Set(
                ids.filter { id in
                    try delete.execute(arguments: [id])
                    return db.changesCount > 0
                })
        }
    }

    /// Deletes the records of photos whose announced facts are no longer valid. Saved photos keep their
    /// records.
    public func forget(_ ids: [CaptureID]) async throws {
        guard !ids.isEmpty else { return }
        try await write { db in
            let delete = try db.cachedStatement(
                sql: "DELETE FROM capture WHERE id = ? AND state IN ('seen', 'set_aside')")
            for id in ids { try delete.execute(arguments: [id]) }
        }
    }

    /// Deletes the records of set-aside photos that were later saved under another record. The other record
    /// has a camera time, and the same name and size. In addition, one of these conditions holds:
    /// - Both records have the same camera time.
    /// - The set-aside record has no camera time, the same folder, and a lower number.
    ///
    /// - Parameter ids: The set-aside photos to check. No object on the card matches their records.
    public func forgetLaterSaved(_ ids: [CaptureID]) async throws {
        guard !ids.isEmpty else { return }
        let none = CaptureRecord.noCameraTime
        try await write { db in
            let delete = try db.cachedStatement(
                sql: """
                    DELETE FROM capture WHERE id = ? AND state = 'set_aside' AND EXISTS (
                        SELECT 1 FROM capture AS other WHERE other.camera_id = capture.camera_id
                            AND other.stem = capture.stem AND other.name = capture.name
                            AND other.size = capture.size AND other.state = 'saved'
                            AND other.camera_time <> \(none)
                            AND (other.camera_time = capture.camera_time
                                OR capture.camera_time = \(none) AND other.folder = capture.folder
                                    AND other.id > capture.id))
                    """)
            for id in ids { try delete.execute(arguments: [id]) }
        }
    }

    /// Returns whether at least one of these objects has a record for the camera with a number up to `last`.
    public func hasEntered(
        anyOf objects: [CameraObject], camera: BodyID, upTo last: CaptureID
    ) async throws -> Bool {
        try await read { db in
            let find = """
                SELECT 1 FROM capture WHERE camera_id = ? AND folder = ? AND name = ? AND size = ? AND camera_time = ?
                    AND id <= ? LIMIT 1
                """
            return try objects.contains { object in
                try Bool.fetchOne(
                    db.cachedStatement(sql: find),
                    arguments: [
                        camera, object.folder, object.name, Int64(bitPattern: object.size),
                        object.cameraTime ?? CaptureRecord.noCameraTime, last,
                    ]) ?? false
            }
        }
    }

    /// Records a failed attempt to fetch a photo.
    ///
    /// - Returns: The number of failed attempts so far.
    public func countFailure(id: CaptureID, failure: String) async throws -> Int {
        try await write { db in
            let update = try db.cachedStatement(
                sql: "UPDATE capture SET attempts = attempts + 1, failure = ? WHERE id = ?")
            try update.execute(arguments: [failure, id])
            let attempts = try db.cachedStatement(sql: "SELECT attempts FROM capture WHERE id = ?")
            return try Int.fetchOne(attempts, arguments: [id]) ?? 0
        }
    }

    /// Sets an unreadable or damaged photo aside, because a person must act.
    public func setAside(id: CaptureID, failure: String) async throws {
        try await write { db in
            try db.execute(
                sql: "UPDATE capture SET state = 'set_aside', failure = ? WHERE id = ? AND state <> 'saved'",
                arguments: [failure, id])
        }
    }

    /// Returns the photos of a camera that are set aside.
    public func setAsideCaptures(camera: BodyID) async throws -> [CaptureRecord] {
        try await read { db in
            try CaptureRecord.fetch(db, where: "camera_id = ? AND state = 'set_aside' ORDER BY id", [camera])
        }
    }

    /// Resets a set-aside photo at the user's request. The service fetches the photo again.
    ///
    /// - Returns: The photo's record, or `nil` if the photo is not set aside.
    public func retrySetAside(id: CaptureID) async throws -> CaptureRecord? {
        try await write { db in
            try db.execute(
                sql: "UPDATE capture SET state = 'seen', attempts = 0, failure = NULL "
                    + "WHERE id = ? AND state = 'set_aside'",
                arguments: [id])
            guard db.changesCount > 0 else { return nil }
            return try CaptureRecord.fetch(db, where: "id = ?", [id]).first
        }
    }

    /// Records that the camera has deleted a photo.
    public func markDeletedOnCamera(id: CaptureID, at now: Date) async throws {
        try await write { db in
            let update = try db.cachedStatement(
                sql: "UPDATE capture SET deleted_on_camera_at = ?, is_past = 1 WHERE id = ?")
            try update.execute(arguments: [now.timeIntervalSince1970, id])
        }
    }
}
