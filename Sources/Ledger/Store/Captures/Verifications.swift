import Foundation
public import FrameFastModel
import GRDB

/// Second readings.
extension LedgerStore {
    /// Returns the saved photos of a camera that wait for their second reading, oldest first. A past photo
    /// cannot be read by its name. If it is still on the camera, the camera announces it again, and the
    /// duplicate provides the second reading.
    public func awaitingReread(camera: BodyID) async throws -> [CaptureRecord] {
        try await read { db in
            try CaptureRecord.fetch(
                db,
                where: """
                    verified = 'awaiting_reread' AND camera_id = ? AND state = 'saved' AND is_past = 0 ORDER BY id
                    """, [camera])
        }
    }

    /// Ends the wait of past photos that match no pending object on the camera. They are verified by their
    /// structure.
    ///
    /// - Returns: The changed photos.
    public func endAwaitingRereadOfPast(camera: BodyID) async throws -> [CaptureRecord] {
        try await write { db in
            let ids = try CaptureID.fetchAll(
                db,
                sql: """
                    SELECT id FROM capture AS past
                    WHERE verified = 'awaiting_reread' AND camera_id = ? AND state = 'saved' AND is_past = 1
                        AND NOT EXISTS (SELECT 1 FROM capture WHERE camera_id = past.camera_id
                            AND stem = past.stem AND name = past.name AND size = past.size
                            AND camera_time = past.camera_time AND state IN ('seen', 'publishing'))
                    """, arguments: [camera])
            return try ids.flatMap { id in
                try db.execute(
                    sql: "UPDATE capture SET verified = 'structure' WHERE id = ?", arguments: [id])
                return try CaptureRecord.fetch(db, where: "id = ?", [id])
            }
        }
    }

    /// Records the result of a second reading after the right bytes are on the disk.
    ///
    /// - Parameter corrected: The path, size and hash of the corrected file, or `nil` if the first reading
    ///   was right.
    /// - Returns: The updated record, or `nil` if the photo did not wait for a second reading.
    public func recordReading(
        id: CaptureID, as verified: CaptureVerification,
        corrected: (path: String, bytes: UInt64, sha256: String)? = nil
    ) async throws -> CaptureRecord? {
        try await write { db in
            try db.execute(
                sql: """
                    UPDATE capture SET verified = ?, path = coalesce(?, path), bytes = coalesce(?, bytes),
                        sha256 = coalesce(?, sha256)
                    WHERE id = ? AND verified = 'awaiting_reread' AND state = 'saved'
                    """,
                arguments: [
                    verified.rawValue, corrected?.path, corrected.map { Int64(bitPattern: $0.bytes) },
                    corrected?.sha256, id,
                ])
            guard db.changesCount > 0 else { return nil }
            return try CaptureRecord.fetch(db, where: "id = ?", [id]).first
        }
    }

    /// Ends the wait of all photos for a second reading. They are verified by their structure.
    ///
    /// - Returns: The number of photos that waited.
    @discardableResult
    public func endAwaitingReread() async throws -> Int {
        try await write { db in
            try db.execute(
                sql: "UPDATE capture SET verified = 'structure' WHERE verified = 'awaiting_reread'")
            return db.changesCount
        }
    }

    /// Records the edited file of a photo that the user wants to upload. Uploads that are not delivered yet
    /// use its bytes from now on. The photo is not read from the camera again, because the camera has the
    /// original.
    ///
    /// - Parameter destinations: The destinations that the user chose. If all of them have the original,
    ///   nothing is recorded: nothing would be sent, and the only copy of the edit could be cleared as
    ///   delivered.
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
                    UPDATE capture SET bytes = ?, sha256 = ?,
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

    /// Whether no photo has this path.
    public func isFree(path: String) async throws -> Bool {
        try await read { db in try Self.isFree(path: path, db) }
    }

    /// Returns those of the given paths that no photo has, in their order.
    public func unrecorded(paths: [String]) async throws -> [String] {
        try await read { db in try paths.filter { try Self.isFree(path: $0, db) } }
    }

    static func isFree(path: String, _ db: Database) throws -> Bool {
        let isFree = try db.cachedStatement(
            sql: "SELECT NOT EXISTS (SELECT 1 FROM capture WHERE path = ?)")
        return try Bool.fetchOne(isFree, arguments: [path]) ?? false
    }
}
