import Foundation
import FrameFastModel
import GRDB

/// Decoding of ``CaptureRecord`` from rows of `capture`.
extension CaptureRecord {
    /// The stored value for a missing camera time.
    static let noCameraTime: Int64 = -1

    init(row: Row) {
        let cameraTime: Int64 = row["camera_time"]
        self.init(
            id: row["id"], bodyID: row["camera_id"],
            object: CameraObject(
                folder: row["folder"], name: row["name"], size: UInt64(bitPattern: row["size"] as Int64),
                cameraTime: cameraTime == Self.noCameraTime ? nil : cameraTime,
                isProtected: row["is_protected"]),
            // A state of a newer version counts as set aside, which prevents a second fetch.
            state: State(rawValue: row["state"]) ?? .setAside,
            sessionID: row["session_id"], detectedAt: Date(timeIntervalSince1970: row["detected_at"]))
        attempts = row["attempts"]
        path = row["path"]
        bytes = (row["bytes"] as Int64?).map(UInt64.init(bitPattern:))
        sha256 = row["sha256"]
        counter = row["counter"]
        pairID = row["pair_id"]
        duplicateOf = row["twin_id"]
        savedAt = (row["saved_at"] as Double?).map(Date.init(timeIntervalSince1970:))
        transferMs = row["transfer_ms"]
        failure = row["failure"]
        verified = (row["verified"] as String?).flatMap(CaptureVerification.init)
        rating = row["rating"]
        isUnsorted = row["is_unsorted"]
        zone = (row["zone"] as String?).flatMap(TimeZone.init(identifier:))
        clearedAt = (row["cleared_at"] as Double?).map(Date.init(timeIntervalSince1970:))
    }

    static func fetch(_ db: Database, where condition: String, _ arguments: StatementArguments) throws
        -> [CaptureRecord]
    {
        try fetch(db, sql: "SELECT * FROM capture WHERE \(condition)", arguments)
    }

    static func fetch(_ db: Database, sql: String, _ arguments: StatementArguments) throws -> [CaptureRecord]
    {
        // Caches the statement, because compiling a statement costs more than running it.
        let statement = try db.cachedStatement(sql: sql)
        return try Array(Row.fetchCursor(statement, arguments: arguments).map(CaptureRecord.init(row:)))
    }

    /// Returns the captures of a camera with the same name, size and time, in any folder, oldest first. Omits
    /// duplicates.
    static func namesakes(_ db: Database, of object: CameraObject, camera: BodyID) throws -> [CaptureRecord] {
        try fetch(
            db,
            where: """
                camera_id = ? AND stem = ? AND name = ? AND size = ? AND camera_time = ? AND state <> 'duplicate'
                ORDER BY id
                """,
            [
                camera, SafeName.split(object.name).stem.lowercased(), object.name,
                Int64(bitPattern: object.size),
                object.cameraTime ?? noCameraTime,
            ])
    }
}
