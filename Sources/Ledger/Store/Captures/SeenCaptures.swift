public import Foundation
public import FrameFastModel
import GRDB

/// The first half of a photo's life in the ledger: heard of, failed, set aside.
extension LedgerStore {
    /// Enters objects that the ledger does not know yet, in the order given.
    ///
    /// An object is known when camera, folder, name, size and the camera's time agree: numbers roll over and cards are
    /// reformatted, so the name alone says nothing. Two kinds are entered with the `twinID` of the one they agree with: an
    /// object that differs in its folder only (a card's folder that is misread or renamed makes such twins of all its
    /// photos, and so does a second card slot), and one that agrees in everything with a photo whose original is past
    /// (``beginNamesAnew(camera:)``).
    /// Whether it is the same photo is for the bytes to say (``beginPublishing(_:naming:)``); the twin of one that is
    /// not wanted (`skipped`) is not wanted either.
    ///
    /// - Parameters:
    ///   - state: `seen`, or `skipped` for what was on the card at the first meeting and is not wanted.
    ///   - zone: The zone of the camera's clock.
    ///   - place: The session that an object belongs to.
    /// - Returns: only the new ones that are in that state.
    public func recordSeen(
        _ objects: [CameraObject], camera: BodyID, zone: TimeZone? = nil, at now: Date,
        as state: CaptureRecord.State = .seen,
        place: @escaping @Sendable (CameraObject) -> SessionTimeline.Place
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
                try Self.noteTwin(of: &record, db)
                return record.state == state ? record : nil
            }
        }
    }

    /// Enters objects that all belong to one session.
    public func recordSeen(
        _ objects: [CameraObject], camera: BodyID, session: SessionID?, at now: Date,
        as state: CaptureRecord.State = .seen
    ) async throws -> [CaptureRecord] {
        try await recordSeen(objects, camera: camera, at: now, as: state) { _ in .init(session) }
    }

    private static func noteTwin(of record: inout CaptureRecord, _ db: Database) throws {
        let id = record.id
        let twins = try CaptureRecord.namesakes(db, of: record.object, camera: record.bodyID)
            .filter { $0.id != id }
        guard let twin = twins.first else { return }
        record.twinID = twin.id
        // Without a time, name and size alone would keep a new photo away.
        if record.object.cameraTime != nil, twins.allSatisfy({ $0.state == .skipped }) {
            record.state = .skipped
        }
        try db.execute(
            sql: "UPDATE capture SET state = ?, twin_id = ? WHERE id = ?",
            arguments: [record.state.rawValue, record.twinID, record.id])
    }

    /// Notes that photos which are known already were protected in the camera since then: uploads that were held for
    /// want of that may go. A protection that is taken away changes nothing; that of a duplicate is its twin's.
    ///
    /// - Returns: those that were not protected before.
    public func recordProtected(_ objects: [CameraObject], camera: BodyID) async throws -> [CaptureRecord] {
        guard !objects.isEmpty else { return [] }
        let known = try await read { db in
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
        guard !known.isEmpty else { return [] }
        return try await write { db in
            for record in known {
                try db.execute(
                    sql: "UPDATE capture SET is_protected = 1 WHERE id = ?", arguments: [record.id])
                for job in try UploadJob.fetch(db, where: "capture_id = ? AND hold = 'unrated'", [record.id])
                {
                    _ = try UploadJob.apply(.released(byPerson: false), to: job.id, db)
                }
            }
            return try known.flatMap { try CaptureRecord.fetch(db, where: "id = ?", [$0.id]) }
        }
    }

    /// A photo that was taken for one from before the first meeting, and was announced as new, is wanted after all.
    ///
    /// - Returns: the photo; nothing when it was not skipped.
    public func wantSkipped(_ object: CameraObject, camera: BodyID) async throws -> [CaptureRecord] {
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

    /// What the ledger has of an object; `nil` when it does not know it.
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

    /// Photos of a camera that are known and not on disk yet, oldest first.
    public func pending(camera: BodyID) async throws -> [CaptureRecord] {
        try await read { db in
            try CaptureRecord.fetch(db, where: "camera_id = ? AND state = 'seen' ORDER BY id", [camera])
        }
    }

    /// The camera begins its names anew: none of its photos that are here keeps a new one away from now on.
    public func beginNamesAnew(camera: BodyID) async throws {
        try await write { db in
            try db.execute(
                sql: """
                    UPDATE capture SET is_past = 1
                    WHERE camera_id = ? AND is_past = 0 AND state IN ('saved', 'duplicate')
                    """, arguments: [camera])
        }
    }

    /// The camera is asked to delete a photo, or has refused. What it tells of under the same name, size and time from
    /// the request on may be another one.
    public func markPast(id: CaptureID, _ isPast: Bool) async throws {
        try await write { db in
            try db.execute(
                sql: "UPDATE OR IGNORE capture SET is_past = ? WHERE id = ?", arguments: [isPast, id])
        }
    }

    /// Forgets those of these photos of which nothing was fetched and that agree in all with one that is past: it was told
    /// of a second time, and is gone.
    ///
    /// - Returns: their numbers.
    public func forgetToldAgain(_ ids: [CaptureID]) async throws -> Set<CaptureID> {
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

    /// Forgets those of these photos of which nothing was fetched and that are photos which one of these cameras is wanted
    /// to bring, or has brought: bodies that give one serial number were taken for each other. The names agree, and folder,
    /// size and time but for one, which may have been misread. A photo that is another one after all is entered again
    /// when it is listed.
    ///
    /// - Returns: their numbers.
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

    /// Forgets photos that were told of under facts which nobody gives them any more, and of which nothing is here.
    public func forget(_ ids: [CaptureID]) async throws {
        guard !ids.isEmpty else { return }
        try await write { db in
            let delete = try db.cachedStatement(
                sql: "DELETE FROM capture WHERE id = ? AND state IN ('seen', 'set_aside')")
            for id in ids { try delete.execute(arguments: [id]) }
        }
    }

    /// Forgets those of these damaged photos that came whole from another folder: the camera, name, size and time agree.
    ///
    /// - Parameter ids: Photos that the card has no more where they were.
    public func forgetSavedElsewhere(_ ids: [CaptureID]) async throws {
        guard !ids.isEmpty else { return }
        try await write { db in
            let delete = try db.cachedStatement(
                sql: """
                    DELETE FROM capture WHERE id = ? AND state = 'set_aside' AND camera_time <> \(CaptureRecord.noCameraTime)
                        AND EXISTS (
                            SELECT 1 FROM capture AS other WHERE other.camera_id = capture.camera_id
                                AND other.stem = capture.stem AND other.name = capture.name
                                AND other.size = capture.size AND other.camera_time = capture.camera_time
                                AND other.state = 'saved')
                    """)
            for id in ids { try delete.execute(arguments: [id]) }
        }
    }

    /// Whether one of these objects was entered for a camera, with a number up to `last`.
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

    /// How many of these objects each of these cameras is known to have had: name, size and time agree, whatever the
    /// folder. Objects without a time tell nothing.
    public func familiar(_ objects: [CameraObject], to cameras: [BodyID]) async throws -> [BodyID: Int] {
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

    /// Some of these objects of which a photo of the same facts is here from at least one of these cameras, smallest first,
    /// with the SHA-256 of what is here of each camera that had one: only bytes say whether it is the same photo.
    ///
    /// - Parameter limit: Objects for each camera at most; each camera has one where there is any.
    public func comparable(
        _ objects: [CameraObject], among cameras: [BodyID], limit: Int
    ) async throws -> [(object: CameraObject, sha256: [BodyID: Set<String>])] {
        guard !cameras.isEmpty else { return [] }
        return try await read { db in
            var found: [(CameraObject, [BodyID: Set<String>])] = []
            var counts: [BodyID: Int] = [:]
            for object in objects.filter({ $0.cameraTime != nil }).sorted(by: { $0.size < $1.size })
            where cameras.contains(where: { counts[$0, default: 0] < limit }) {
                var hashes: [BodyID: Set<String>] = [:]
                for camera in cameras {
                    let known = try CaptureRecord.namesakes(db, of: object, camera: camera)
                    if !known.isEmpty { hashes[camera] = Set(known.compactMap(\.sha256)) }
                }
                let here = hashes.filter { !$0.value.isEmpty }.keys
                guard here.contains(where: { counts[$0, default: 0] < limit }) else { continue }
                for camera in here { counts[camera, default: 0] += 1 }
                found.append((object, hashes))
            }
            return found
        }
    }

    /// Whether the ledger has ever heard of a photo of this camera.
    public func knows(camera: BodyID) async throws -> Bool {
        try await read { db in
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM capture WHERE camera_id = ?)", arguments: [camera])
                ?? false
        }
    }

    /// Counts a failed attempt to fetch.
    ///
    /// - Returns: attempts so far.
    public func countFailure(id: CaptureID, failure: String) async throws -> Int {
        try await write { db in
            try db.execute(
                sql: "UPDATE capture SET attempts = attempts + 1, failure = ? WHERE id = ?",
                arguments: [failure, id])
            return try Int.fetchOne(db, sql: "SELECT attempts FROM capture WHERE id = ?", arguments: [id])
                ?? 0
        }
    }

    /// Gives up on a photo until a person decides.
    public func setAside(id: CaptureID, failure: String) async throws {
        try await write { db in
            try db.execute(
                sql: "UPDATE capture SET state = 'set_aside', failure = ? WHERE id = ? AND state <> 'saved'",
                arguments: [failure, id])
        }
    }

    /// Photos of a camera that wait for a person.
    public func waitingForPerson(camera: BodyID) async throws -> [CaptureRecord] {
        try await read { db in
            try CaptureRecord.fetch(db, where: "camera_id = ? AND state = 'set_aside' ORDER BY id", [camera])
        }
    }

    /// A person wants a photo tried again that was given up on.
    ///
    /// - Returns: `nil` when it does not wait for anybody.
    public func tryAgain(id: CaptureID) async throws -> CaptureRecord? {
        try await write { db in
            try db.execute(
                sql: "UPDATE capture SET state = 'seen', attempts = 0, failure = NULL "
                    + "WHERE id = ? AND state = 'set_aside'",
                arguments: [id])
            guard db.changesCount > 0 else { return nil }
            return try CaptureRecord.fetch(db, where: "id = ?", [id]).first
        }
    }

    /// The camera has deleted the photo.
    public func markDeletedOnCamera(id: CaptureID, at now: Date) async throws {
        try await write { db in
            try db.execute(
                sql: "UPDATE capture SET deleted_on_camera_at = ?, is_past = 1 WHERE id = ?",
                arguments: [now.timeIntervalSince1970, id])
        }
    }
}
