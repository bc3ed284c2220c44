import Foundation
public import FrameFastModel
import GRDB
public import WebPairing

/// The paired devices of the web page.
extension LedgerStore {
    /// Returns the devices, oldest first, including expired devices.
    ///
    /// Omits devices whose role only a newer version of FrameFast knows, because their rights are unknown.
    public func webDevices() async throws -> [WebDevice] {
        try await read { db in
            try Row.fetchAll(db, sql: "\(Self.devicesSQL) ORDER BY web_device.id")
                .compactMap(WebDevice.init(row:))
        }
    }

    /// Stores a new device.
    ///
    /// - Parameter device: The device. Its id is ignored.
    /// - Returns: The device with its id, and with the name and end of its session.
    /// - Throws: An error if the session does not exist.
    public func addWebDevice(_ device: WebDevice) async throws -> WebDevice {
        try await write { db in
            try db.execute(
                sql: """
                    INSERT INTO web_device
                        (name, role, session_id, token_sha256, created_at, last_used_at, done_at)
                    VALUES (:name, :role, :session, :token, :created, :used, :done)
                    """,
                arguments: [
                    "name": device.name, "role": device.role.rawValue, "session": device.session,
                    "token": device.digest.hex, "created": device.createdAt.timeIntervalSince1970,
                    "used": device.lastUsedAt.timeIntervalSince1970,
                    "done": device.doneAt?.timeIntervalSince1970,
                ])
            let id = db.lastInsertedRowID
            let row = try Row.fetchOne(db, sql: "\(Self.devicesSQL) WHERE web_device.id = ?", arguments: [id])
            return row.flatMap(WebDevice.init(row:)) ?? device
        }
    }

    /// Stores the time of the last use of a device, and the time at which its ratings became final. Does
    /// nothing if the device was removed.
    public func updateWebDevice(_ device: WebDevice) async throws {
        try await write { db in
            try db.execute(
                sql: "UPDATE web_device SET last_used_at = ?, done_at = ? WHERE id = ?",
                arguments: [
                    device.lastUsedAt.timeIntervalSince1970, device.doneAt?.timeIntervalSince1970, device.id,
                ])
        }
    }

    /// Removes devices. Their ratings stay.
    public func removeWebDevices(_ ids: [WebDeviceID]) async throws {
        try await write { db in
            for id in ids {
                try db.execute(sql: "DELETE FROM web_device WHERE id = ?", arguments: [id])
            }
        }
    }

    private static let devicesSQL = """
        SELECT web_device.*, session.name AS session_name, session.stopped_at AS session_stopped_at
        FROM web_device LEFT JOIN session ON session.id = web_device.session_id
        """
}

extension WebDevice {
    fileprivate init?(row: Row) {
        guard let role = WebRole(rawValue: row["role"]), let digest = SecretDigest(hex: row["token_sha256"])
        else { return nil }
        let date = { (column: String) in
            (row[column] as Double?).map(Date.init(timeIntervalSince1970:))
        }
        self.init(
            id: row["id"], name: row["name"], role: role, session: row["session_id"],
            sessionName: row["session_name"], sessionStoppedAt: date("session_stopped_at"),
            createdAt: Date(timeIntervalSince1970: row["created_at"]), lastUsedAt: date("last_used_at"),
            doneAt: date("done_at"), digest: digest)
    }
}
