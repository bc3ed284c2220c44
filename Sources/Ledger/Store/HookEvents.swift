import Foundation
public import FrameFastModel
import GRDB

/// Something that happened and that a durable hook is to be run for.
public struct HookEventRecord: Hashable, Sendable {
    /// Its number, which no other event ever has.
    public var id: Int64
    /// What happened, a word of the configuration.
    public var moment: String
    /// The photo that it happened to; `nil` for none.
    public var capture: CaptureID?
    /// The upload that it happened to; `nil` for none.
    public var job: JobID?
    /// What was known of it; empty for what is looked up.
    public var facts: Facts
}

extension LedgerStore {
    /// Moments that the ledger enters by itself, in the transaction that makes them true.
    public static let hookMoments: Set<String> = ["saved", "delivered", "delivered-everywhere", "failed"]

    /// These hooks are durable, each with the words of its moments; what waits for others is forgotten.
    public func keepHookEvents(_ hooks: [String: Set<String>]) async throws {
        try await write { db in
            try db.execute(sql: "DELETE FROM hook_watch")
            for (hook, moments) in hooks {
                for moment in moments {
                    try db.execute(
                        sql: "INSERT INTO hook_watch (moment, hook) VALUES (?, ?)", arguments: [moment, hook])
                }
            }
            try db.execute(sql: "DELETE FROM hook_event WHERE hook NOT IN (SELECT hook FROM hook_watch)")
        }
    }

    /// Enters what the ledger does not know by itself.
    public func enterHookEvent(hook: String, moment: String, facts: Facts) async throws {
        let text = String(decoding: try JSONEncoder().encode(facts.byName), as: UTF8.self)
        try await write { db in
            try db.execute(
                sql: "INSERT INTO hook_event (hook, moment, facts) VALUES (?, ?, ?)",
                arguments: [hook, moment, text])
        }
    }

    /// The oldest events of a hook after a number.
    public func hookEvents(of hook: String, after id: Int64, limit: Int) async throws -> [HookEventRecord] {
        try await read { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM hook_event WHERE hook = ? AND id > ? ORDER BY id LIMIT ?",
                arguments: [hook, id, limit]
            ).map(HookEventRecord.init)
        }
    }

    /// How many events wait for a hook.
    public func hookEventCount(of hook: String) async throws -> Int {
        try await read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM hook_event WHERE hook = ?", arguments: [hook])
                ?? 0
        }
    }

    /// The hook was run for an event, or is not to be.
    public func forgetHookEvent(_ id: Int64) async throws {
        try await write { db in try db.execute(sql: "DELETE FROM hook_event WHERE id = ?", arguments: [id]) }
    }
}

extension HookEventRecord {
    fileprivate init(_ row: Row) {
        let facts = (row["facts"] as String?).flatMap {
            try? JSONDecoder().decode([String: String].self, from: Data($0.utf8))
        }
        self.init(
            id: row["id"], moment: row["moment"], capture: row["capture_id"], job: row["job_id"],
            facts: Facts(
                uniqueKeysWithValues: (facts ?? [:]).compactMap { name, text in
                    FactName(rawValue: name).map { ($0, text) }
                }))
    }
}
