public import Foundation
public import FrameFastModel
import GRDB

/// Second reads of photos, which verify that the saved bytes are correct.
extension LedgerStore {
    /// Returns the saved photos of a camera that wait for their second read, oldest first.
    ///
    /// Omits past photos, because other photos may now have their names. If the camera still has a past
    /// photo, the photo gets a second record, and the fetch of this duplicate is the second read.
    public func awaitingReread(camera: BodyID) async throws -> [CaptureRecord] {
        try await read { db in
            try CaptureRecord.fetch(
                db,
                where: """
                    verified = 'awaiting_reread' AND camera_id = ? AND state = 'saved' AND is_past = 0 ORDER BY id
                    """, [camera])
        }
    }

    /// Ends the wait for the second read of past photos that match no pending object on the camera. Sets the
    /// verification of these photos to `structure`.
    ///
    /// - Returns: The changed photos.
    public func endAwaitingRereadOfPast(camera: BodyID) async throws -> [CaptureRecord] {
        try await write { db in
            let past = try db.cachedStatement(
                sql: """
                    SELECT id FROM capture AS past
                    WHERE verified = 'awaiting_reread' AND camera_id = ? AND state = 'saved' AND is_past = 1
                        AND NOT EXISTS (SELECT 1 FROM capture WHERE camera_id = past.camera_id
                            AND stem = past.stem AND name = past.name AND size = past.size
                            AND camera_time = past.camera_time AND state IN ('seen', 'publishing'))
                    """)
            return try CaptureID.fetchAll(past, arguments: [camera]).flatMap { id in
                try db.execute(
                    sql: "UPDATE capture SET verified = 'structure' WHERE id = ?", arguments: [id])
                return try CaptureRecord.fetch(db, where: "id = ?", [id])
            }
        }
    }

    /// Records the result of a second read. Called after the correct bytes are on the disk.
    ///
    /// - Parameter corrected: The path, size and hash of the corrected file, or `nil` if the first read was
    ///   correct.
    /// - Returns: The updated record, or `nil` if the photo was not waiting for a second read.
    public func recordReading(
        id: CaptureID, as verified: CaptureVerification,
        corrected: (path: String, bytes: UInt64, sha256: String)? = nil
    ) async throws -> CaptureRecord? {
        try await write { db in
            let update = try db.cachedStatement(
                sql: """
                    UPDATE capture SET verified = ?, path = coalesce(?, path), bytes = coalesce(?, bytes),
                        sha256 = coalesce(?, sha256)
                    WHERE id = ? AND verified = 'awaiting_reread' AND state = 'saved'
                    """)
            try update.execute(arguments: [
                verified.rawValue, corrected?.path, corrected.map { Int64(bitPattern: $0.bytes) },
                corrected?.sha256, id,
            ])
            guard db.changesCount > 0 else { return nil }
            return try CaptureRecord.fetch(db, where: "id = ?", [id]).first
        }
    }

    /// Returns the photo that ``recordDuplicate(_:at:)`` uses as the original, or `nil` if no other photo has
    /// the bytes of this read.
    public func original(of reading: Arrival) async throws -> CaptureRecord? {
        try await read { db in
            guard let record = try CaptureRecord.fetch(db, where: "id = ?", [reading.id]).first else {
                return nil
            }
            return try Self.savedOriginal(of: record, reading, db)
        }
    }

    /// Records a saved photo as a duplicate if its second read has the bytes of another saved photo. The
    /// photo's file has wrong bytes. The caller must remove this file, and then call
    /// ``endClearing(gone:kept:)``.
    ///
    /// The record keeps the path, size and hash of the wrong file. After a crash, ``interruptedClearings()``
    /// returns the record.
    ///
    /// - Parameter reading: The bytes of the second read.
    /// - Returns: The duplicate, or `nil` if no other photo has these bytes, or if the photo was not waiting
    ///   for a second read. The duplicate's `verified` is as in ``beginPublishing(_:naming:)``.
    public func recordDuplicate(_ reading: Arrival, at now: Date) async throws -> CaptureRecord? {
        try await write { db in
            let waiting = try CaptureRecord.fetch(
                db, where: "id = ? AND state = 'saved' AND verified = 'awaiting_reread'", [reading.id])
            guard var record = waiting.first,
                let original = try Self.savedOriginal(of: record, reading, db), original.state == .saved
            else { return nil }
            // Moves the other files first. If the duplicate left the shot first, a trigger of the schema
            // would subtract the shot from the 15-minute interval of another file.
            try Self.moveShot(of: record, to: original, db)
            record.duplicateOf = original.id
            record.verified = nil
            try Self.markDuplicate(&record, db)
            // The record has the hash of the camera's original, like the record of an edited photo.
            try db.execute(
                sql: """
                    UPDATE capture SET counter = NULL, pair_id = NULL, saved_at = NULL, original_bytes = ?,
                        original_sha256 = ?, cleared_at = ?, is_clearing = 1
                    WHERE id = ?
                    """,
                arguments: [
                    Int64(bitPattern: reading.bytes), reading.sha256, now.timeIntervalSince1970, record.id,
                ])
            return try CaptureRecord.fetch(db, where: "id = ?", [record.id]).first
        }
    }

    /// Moves the other files of a duplicate's shot to the shot of the original. If the original already has a
    /// RAW or JPEG partner, moves only companion files.
    private static func moveShot(
        of duplicate: CaptureRecord, to original: CaptureRecord, _ db: Database
    ) throws {
        guard duplicate.kind != .other, original.kind == duplicate.kind else { return }
        let shots: StatementArguments = [
            "old": duplicate.pairID ?? duplicate.id, "new": original.pairID ?? original.id,
            "duplicate": duplicate.id,
        ]
        let move = """
            UPDATE capture SET pair_id = :new
            WHERE \(Schema.isCapture) AND \(Schema.shot) = :old AND id <> :duplicate
            """
        try db.execute(sql: "\(move) AND is_photo = 0", arguments: shots)
        guard original.pairID == nil else { return }
        try db.execute(sql: "\(move) AND is_photo = 1", arguments: shots)
        guard db.changesCount > 0 else { return }
        try db.execute(sql: "UPDATE capture SET pair_id = id WHERE id = ?", arguments: [original.id])
    }

    /// Ends the wait for the second read of all photos. Sets the verification of these photos to `structure`.
    ///
    /// - Returns: The number of photos that were waiting.
    @discardableResult
    public func endAwaitingReread() async throws -> Int {
        try await write { db in
            try db.execute(
                sql: "UPDATE capture SET verified = 'structure' WHERE verified = 'awaiting_reread'")
            return db.changesCount
        }
    }

    /// Records the size and hash of a photo's edited file, which the user wants to upload. Uploads that are
    /// not delivered yet send the edited file. The photo no longer waits for a second read, because the
    /// camera has the unedited original. The record keeps the size and hash of the original, so the ledger
    /// recognizes the original when the camera announces it again.
    ///
    /// - Parameter destinations: The destinations that the user chose. If all these destinations already have
    ///   the original, the method records nothing. A record would make the ledger treat the edited file as
    ///   delivered, and the service could clear its only copy.
    public func recordEdited(
        id: CaptureID, bytes: UInt64, sha256: String, for destinations: [DestinationName]
    ) async throws {
        try await write { db in
            let delivered = try String.fetchSet(
                db, sql: "SELECT destination FROM upload_job WHERE capture_id = ? AND state = 'delivered'",
                arguments: [id])
            guard destinations.contains(where: { !delivered.contains($0.rawValue) }) else { return }
            let size = Int64(bitPattern: bytes)
            try db.execute(
                sql: """
                    UPDATE capture SET original_bytes = coalesce(original_bytes, bytes),
                        original_sha256 = coalesce(original_sha256, sha256), bytes = ?, sha256 = ?,
                        verified = CASE verified WHEN 'awaiting_reread' THEN 'structure' ELSE verified END
                    WHERE id = ? AND state = 'saved'
                    """,
                arguments: [size, sha256, id])
            try db.execute(
                sql: """
                    UPDATE upload_job SET bytes = ?, resume_point = NULL
                    WHERE capture_id = ? AND state NOT IN ('delivered', 'uploading')
                    """, arguments: [size, id])
        }
    }

    /// Returns whether no record has this path.
    public func isFree(path: String) async throws -> Bool {
        try await read { db in try Self.isFree(path: path, db) }
    }

    /// Returns the given paths that no record has, in the given order.
    public func unrecorded(paths: [String]) async throws -> [String] {
        try await read { db in try paths.filter { try Self.isFree(path: $0, db) } }
    }

    static func isFree(path: String, _ db: Database) throws -> Bool {
        let isFree = try db.cachedStatement(
            sql: "SELECT NOT EXISTS (SELECT 1 FROM capture WHERE path = ?)")
        return try Bool.fetchOne(isFree, arguments: [path]) ?? false
    }
}
