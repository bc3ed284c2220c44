import Foundation
public import FrameFastModel
import GRDB

/// The roster: all saved cameras, including disconnected cameras.
extension LedgerStore {
    /// Returns the cameras of the roster, by name.
    public func roster() async throws -> [RosterRecord] {
        try await read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM roster ORDER BY name").map(RosterRecord.init(row:))
        }
    }

    /// Saves a camera or updates it. A new name also applies to the camera's existing photos.
    ///
    /// - Throws: An error if the name belongs to another camera.
    public func saveCamera(_ camera: RosterRecord) async throws {
        try await write { db in
            let before = try String.fetchOne(
                db, sql: "SELECT name FROM roster WHERE id = ?", arguments: [camera.id])
            try db.execute(
                sql: """
                    INSERT INTO roster
                        (id, name, is_named, maker, model, serial, port, network, is_kept, is_ignored, last_seen_at)
                    VALUES (:id, :name, :isNamed, :maker, :model, :serial, :port, :network, :isKept, :isIgnored, :seen)
                    ON CONFLICT (id) DO UPDATE SET name = :name, is_named = :isNamed, maker = :maker, model = :model,
                        serial = :serial, port = :port, network = :network, is_kept = :isKept,
                        is_ignored = :isIgnored, last_seen_at = :seen
                    """,
                arguments: [
                    "id": camera.id, "name": camera.name, "isNamed": camera.isNamed, "maker": camera.maker,
                    "model": camera.model, "serial": camera.serial, "port": camera.port,
                    "network": camera.network, "isKept": camera.isKept, "isIgnored": camera.isIgnored,
                    "seen": camera.lastSeenAt?.timeIntervalSince1970,
                ])
            if let before, before != camera.name {
                try db.execute(
                    sql: "UPDATE camera SET name = ? WHERE fleet_id = ?", arguments: [camera.name, camera.id])
            }
        }
    }

    /// Removes a camera from the roster. The ledger keeps the records of the camera's photos.
    ///
    /// - Returns: Whether the camera was in the roster.
    @discardableResult
    public func forget(camera id: CameraID) async throws -> Bool {
        try await write { db in
            try db.execute(sql: "DELETE FROM roster WHERE id = ?", arguments: [id])
            return db.changesCount > 0
        }
    }
}

extension RosterRecord {
    fileprivate init(row: Row) {
        self.init(
            id: row["id"], name: row["name"], isNamed: row["is_named"], maker: row["maker"],
            model: row["model"], serial: row["serial"], port: row["port"], network: row["network"],
            isKept: row["is_kept"], isIgnored: row["is_ignored"],
            lastSeenAt: (row["last_seen_at"] as Double?).map(Date.init(timeIntervalSince1970:)))
    }
}
