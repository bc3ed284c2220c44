public import Foundation
public import FrameFastModel
import GRDB

extension LedgerStore {
    /// How long orders are remembered, in seconds: none is valid for so long.
    static let ordersKeptSeconds: TimeInterval = 7 * 86_400
    /// Orders that are remembered, at most.
    static let ordersMax = 100_000

    /// Events are entered from now on, or no more; what waits is forgotten then.
    ///
    /// - Returns: a word that stays while the numbers of events go on.
    @discardableResult
    public func keepFleetEvents(_ isOn: Bool) async throws -> String {
        try await write { db in
            try db.execute(sql: "UPDATE fleet_switch SET is_on = ?", arguments: [isOn])
            if !isOn { try db.execute(sql: "DELETE FROM fleet_event") }
            return try String.fetchOne(db, sql: "SELECT boot FROM fleet_switch") ?? ""
        }
    }

    /// How many events wait for a broker, and the number of the last one that was entered, 0 for none.
    public func fleetEventCounts() async throws -> (waiting: Int, last: Int64) {
        try await read { db in
            let waiting = try Int.fetchOne(db, sql: "SELECT count(*) FROM fleet_event") ?? 0
            let last = try Int64.fetchOne(
                db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'fleet_event'")
            return (waiting, last ?? 0)
        }
    }

    /// The oldest events after a number.
    public func fleetEvents(after seq: Int64, limit: Int) async throws -> [FleetEvent] {
        try await read { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM fleet_event WHERE seq > ? ORDER BY seq LIMIT ?",
                arguments: [seq, limit]
            ).map { row in
                FleetEvent(
                    seq: row["seq"], kind: row["kind"], at: Date(timeIntervalSince1970: row["at"]),
                    facts: row["facts"])
            }
        }
    }

    /// A broker has these events.
    public func forgetFleetEvents(_ seqs: [Int64]) async throws {
        guard !seqs.isEmpty else { return }
        try await write { db in
            let delete = try db.cachedStatement(sql: "DELETE FROM fleet_event WHERE seq = ?")
            for seq in seqs { try delete.execute(arguments: [seq]) }
        }
    }

    /// Claims an order before it is carried out: it is carried out once, however often it comes.
    public func claimFleetOrder(_ id: String, at: Date) async throws -> FleetClaim {
        try await write { db in
            try db.execute(
                sql: "DELETE FROM fleet_order WHERE claimed_at < ?",
                arguments: [at.timeIntervalSince1970 - Self.ordersKeptSeconds])
            try db.execute(
                sql: "INSERT INTO fleet_order (id, claimed_at) VALUES (?, ?) ON CONFLICT DO NOTHING",
                arguments: [id, at.timeIntervalSince1970])
            if db.changesCount > 0 {
                try db.execute(
                    sql: """
                        DELETE FROM fleet_order WHERE rowid IN
                            (SELECT rowid FROM fleet_order ORDER BY claimed_at DESC LIMIT -1 OFFSET \(Self.ordersMax))
                        """)
                return .mine
            }
            let answer = try String.fetchOne(
                db, sql: "SELECT answer FROM fleet_order WHERE id = ?", arguments: [id])
            return answer.map(FleetClaim.answered) ?? .unknown
        }
    }

    /// An order was carried out, or could not be.
    public func answerFleetOrder(_ id: String, _ answer: String) async throws {
        try await write { db in
            try db.execute(
                sql: "UPDATE fleet_order SET answer = ? WHERE id = ?", arguments: [answer, id])
        }
    }
}
