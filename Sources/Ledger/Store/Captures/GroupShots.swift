public import Foundation
public import FrameFastModel
import GRDB

/// Shots of groups: begun before the shutters are released, so that a photo of theirs finds its shot whatever happens to the
/// service in between.
extension LedgerStore {
    /// A shot is about to be taken: each photo that one of its cameras announces after its moment may be of it.
    public func beginGroupShot(_ group: GroupName, at: Date, frames: [GroupShot.Frame]) async throws
        -> GroupShotID
    {
        try await write { db in
            try db.execute(
                sql: "INSERT INTO group_shot (group_name, at) VALUES (?, ?)",
                arguments: [group, at.timeIntervalSince1970])
            let id = GroupShotID(rawValue: db.lastInsertedRowID)
            let insert = try db.cachedStatement(
                sql: """
                    INSERT INTO group_frame (group_shot_id, place, name, camera_id, at, missing) VALUES (?, ?, ?, ?, ?, ?)
                    """)
            for (place, frame) in frames.enumerated() {
                try insert.execute(arguments: [
                    id, place, frame.name, frame.bodyID, at.timeIntervalSince1970, frame.missing,
                ])
            }
            return id
        }
    }

    /// It is known that some cameras took no photo of a shot.
    ///
    /// - Parameter reasons: Why, by the camera's name.
    public func closeFrames(of shot: GroupShotID, _ reasons: [String: String]) async throws {
        guard !reasons.isEmpty else { return }
        try await write { db in
            for (name, reason) in reasons {
                try db.execute(
                    sql: """
                        UPDATE group_frame SET missing = ?
                        WHERE group_shot_id = ? AND name = ? AND capture_id IS NULL
                        """, arguments: [reason, shot, name])
            }
        }
    }

    /// Shots of the running session, by the body that took them; of none when none runs.
    public func shotsOfRunningSession() async throws -> [BodyID: Int] {
        try await read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT camera_id, count(DISTINCT \(Schema.shot)) AS shots FROM capture
                    WHERE \(Schema.isCapture)
                        AND session_id = (SELECT max(id) FROM session WHERE stopped_at IS NULL)
                    GROUP BY camera_id
                    """)
            return Dictionary(rows.map { ($0["camera_id"], $0["shots"]) }) { $1 }
        }
    }

    /// The photos of a shot were counted: those that come from now on are late.
    public func settleGroupShot(_ shot: GroupShotID) async throws {
        try await write { db in
            try db.execute(
                sql: "UPDATE group_frame SET is_settled = 1 WHERE group_shot_id = ?", arguments: [shot])
        }
    }

    /// No shutter was released for a shot.
    public func forgetGroupShot(_ shot: GroupShotID) async throws {
        try await write { db in
            try db.execute(sql: "DELETE FROM group_shot WHERE id = ?", arguments: [shot])
        }
    }

    /// A group's shots, newest first.
    public func groupShots(_ group: GroupName, limit: Int) async throws -> [GroupShot] {
        try await read { db in
            try Self.groupShots(db, "group_name = ? ORDER BY id DESC LIMIT ?", [group, limit])
        }
    }

    /// One shot; `nil` when there is none with this number.
    public func groupShot(_ id: GroupShotID) async throws -> GroupShot? {
        try await read { db in try Self.groupShots(db, "id = ?", [id]).first }
    }

    /// Shots of all groups since a moment, oldest first.
    public func groupShots(since: Date) async throws -> [GroupShot] {
        try await read { db in
            try Self.groupShots(db, "at >= ? ORDER BY id", [since.timeIntervalSince1970])
        }
    }

    private static func groupShots(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [GroupShot] {
        let shots = try Row.fetchAll(
            db, sql: "SELECT * FROM group_shot WHERE \(condition)", arguments: arguments)
        return try shots.map { row in
            let id: GroupShotID = row["id"]
            let frames = try Row.fetchAll(
                db, sql: "SELECT * FROM group_frame WHERE group_shot_id = ? ORDER BY place", arguments: [id])
            return GroupShot(
                id: id, group: row["group_name"], at: Date(timeIntervalSince1970: row["at"]),
                frames: frames.map {
                    GroupShot.Frame(
                        name: $0["name"], bodyID: $0["camera_id"], capture: $0["capture_id"],
                        missing: $0["missing"], isSettled: $0["is_settled"])
                })
        }
    }

    /// The shot of a group that a new photo is of: its partner's, or one that waits for a photo of its camera.
    static func takeIntoGroupShot(_ record: inout CaptureRecord, _ db: Database) throws {
        let now = record.detectedAt.timeIntervalSince1970
        let window = (now - GroupShot.frameSecondsMax, now)
        guard let shot = try ofPartner(record, window, db) ?? awaited(record, window, db) else { return }
        record.groupShotID = shot
        try db.execute(
            sql: "UPDATE capture SET group_shot_id = ? WHERE id = ?", arguments: [shot, record.id])
    }

    /// Shots of which a camera announces the files mixed, at most.
    private static let mixedShotsMax = 4
    /// How long after the first file of a shot the other may be announced where the camera gives no times, in seconds: the
    /// longest `pair_settle`.
    private static let partnerSecondsMax = 60.0

    /// The shot of the other file of the same release.
    private static func ofPartner(
        _ record: CaptureRecord, _ window: (Double, Double), _ db: Database
    ) throws -> GroupShotID? {
        let firsts = try CaptureRecord.fetch(
            db,
            sql: """
                SELECT capture.* FROM group_frame JOIN capture ON capture.id = group_frame.capture_id
                WHERE group_frame.camera_id = ? AND group_frame.at BETWEEN ? AND ? ORDER BY group_frame.at DESC LIMIT \(mixedShotsMax)
                """, [record.bodyID, window.0, window.1])
        let isBetween = try db.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM capture WHERE id > ? AND id < ? AND +camera_id = ?)")
        return try firsts.first { first in
            let between = try Bool.fetchOne(isBetween, arguments: [first.id, record.id, record.bodyID])
            return PairingRule.arePair(
                record, first, areAdjacent: between == false, settleSeconds: partnerSecondsMax)
        }?.groupShotID
    }

    /// The first shot that waits for a photo of the camera: it announces in the order in which it took. When none waits, the
    /// last that was counted without one.
    private static func awaited(
        _ record: CaptureRecord, _ window: (Double, Double), _ db: Database
    ) throws -> GroupShotID? {
        let taken = try db.cachedStatement(
            sql: """
                UPDATE group_frame SET capture_id = ? WHERE rowid = (
                    SELECT rowid FROM group_frame
                    WHERE camera_id = ? AND at BETWEEN ? AND ? AND capture_id IS NULL AND missing IS NULL
                    ORDER BY is_settled, CASE is_settled WHEN 0 THEN at ELSE -at END LIMIT 1)
                RETURNING group_shot_id
                """)
        return try GroupShotID.fetchOne(
            taken, arguments: [record.id, record.bodyID, window.0, window.1])
    }
}
