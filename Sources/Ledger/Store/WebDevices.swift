public import Foundation
public import FrameFastModel
import GRDB

/// A browser that was let in.
public struct WebDeviceRecord: Hashable, Sendable {
    /// What tells it apart.
    public var id: String
    /// What its person is called.
    public var name: String
    /// What it may do.
    public var role: String
    /// The session that it sees; `nil` for all.
    public var session: SessionID?
    /// Whether its person is done.
    public var isDone: Bool
    /// When it was let in.
    public var pairedAt: Date
    /// When it was heard of last.
    public var lastUsedAt: Date
    /// SHA-256 of its token.
    public var token: [UInt8]

    /// Creates a record.
    public init(
        id: String, name: String, role: String, session: SessionID?, isDone: Bool, pairedAt: Date,
        lastUsedAt: Date, token: [UInt8]
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.session = session
        self.isDone = isDone
        self.pairedAt = pairedAt
        self.lastUsedAt = lastUsedAt
        self.token = token
    }
}

extension LedgerStore {
    /// Every browser that was let in.
    public func webDevices() async throws -> [WebDeviceRecord] {
        try await read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM web_device ORDER BY paired_at").map { row in
                WebDeviceRecord(
                    id: row["id"], name: row["name"], role: row["role"], session: row["session_id"],
                    isDone: row["is_done"], pairedAt: Date(timeIntervalSince1970: row["paired_at"]),
                    lastUsedAt: Date(timeIntervalSince1970: row["last_used_at"]),
                    token: [UInt8](row["token"] as Data))
            }
        }
    }

    /// Keeps a browser, in the place of the one with its id.
    public func keep(_ device: WebDeviceRecord) async throws {
        try await write { db in
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO web_device
                        (id, name, role, session_id, is_done, paired_at, last_used_at, token)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    device.id, device.name, device.role, device.session, device.isDone,
                    device.pairedAt.timeIntervalSince1970, device.lastUsedAt.timeIntervalSince1970,
                    Data(device.token),
                ])
        }
    }

    /// The greatest number of a browser, `7` of `d7`, of which stars or comments are kept; 0 for none.
    public func lastWebDevice() async throws -> Int {
        try await read { db in
            try Int.fetchOne(
                db,
                sql: "SELECT max(CAST(substr(rater, 2) AS INTEGER)) FROM rating WHERE rater GLOB 'd[0-9]*'")
                ?? 0
        }
    }

    /// Forgets a browser.
    public func forget(webDevice id: String) async throws {
        try await write { db in try db.execute(sql: "DELETE FROM web_device WHERE id = ?", arguments: [id]) }
    }
}
