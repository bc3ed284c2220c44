import Foundation
import FrameFastModel
import GRDB
import TestRig
import Testing

@testable import Store

/// Tests that the ledger's sums, which triggers update, equal the values that are computed from all rows.
@Suite struct CaptureSumsTests {
    static let now = Date(timeIntervalSince1970: 1_795_271_400)

    private let scratch: ScratchFolder
    let path: String

    init() throws {
        scratch = try ScratchFolder()
        path = scratch.path("ledger.sqlite")
    }

    /// Returns the totals, computed from all rows.
    static func counted(_ ledger: LedgerStore, since startOfDay: Date) async throws -> CaptureTotals {
        try await ledger.read { db in
            func number(_ sql: String) throws -> Int {
                try Int.fetchOne(db, sql: "SELECT \(sql)", arguments: []) ?? 0
            }
            let saved = "FROM capture WHERE state = 'saved'"
            var totals = CaptureTotals()
            totals.saved = try number("count(*) \(saved)")
            totals.bytes = UInt64(try number("coalesce(sum(bytes), 0) \(saved)"))
            totals.today = try number("count(*) \(saved) AND saved_at >= \(startOfDay.timeIntervalSince1970)")
            let shots = "count(DISTINCT coalesce(pair_id, id)) \(saved) AND is_photo = 1"
            totals.shots = try number(shots)
            totals.shotsToday = try number("\(shots) AND saved_at >= \(startOfDay.timeIntervalSince1970)")
            totals.shotsLastMinute = try number("\(shots) AND saved_at >= \(now.timeIntervalSince1970 - 60)")
            totals.waiting = try number("count(*) FROM capture WHERE state IN ('seen', 'publishing')")
            totals.setAside = try number("count(*) FROM capture WHERE state = 'set_aside'")
            return totals
        }
    }

    /// Returns the shot of a row: the number of the shot's first file, or `nil` for a single file.
    private static func pair(_ number: Int) -> Int? {
        switch number % 12 {
        case 2: number
        case 3: number - 1
        default: nil
        }
    }

    /// Inserts rows in all states except `duplicate`, with times of three days.
    static func fill(_ db: Database) throws {
        for number in 1...300 {
            let state = ["seen", "publishing", "saved", "saved", "set_aside", "skipped"][number % 6]
            let savedAt = now.timeIntervalSince1970 - Double(pair(number) ?? number) * 700
            try db.execute(
                sql: """
                    INSERT INTO capture (camera_id, folder, name, stem, size, camera_time, state, detected_at, bytes,
                        saved_at, pair_id) VALUES ('a', '/A', ?, 'x', 10, ?, ?, 0, ?, ?, ?)
                    """,
                arguments: [
                    "\(number).jpg", number, state, state == "seen" ? nil : number,
                    state == "saved" ? savedAt : nil, pair(number),
                ])
        }
    }

    @Test func `sums equal the counted rows after each kind of change`() async throws {
        let ledger = try LedgerStore(path: path)
        let startOfDay = Self.now.addingTimeInterval(-86_400)
        try await ledger.write { db in try Self.fill(db) }
        let sums = try await ledger.totals(startOfDay: startOfDay, now: Self.now)
        #expect(try await Self.counted(ledger, since: startOfDay) == sums && sums.saved == 100)
        #expect(sums.shots == 75)
        let recent = Self.now.timeIntervalSince1970 - 5
        try await ledger.write { db in
            for change in [
                "UPDATE capture SET state = 'saved', saved_at = \(recent), bytes = 7 WHERE id % 12 = 1",
                "UPDATE capture SET state = 'seen', bytes = NULL WHERE id % 12 = 3",
                "UPDATE capture SET pair_id = id WHERE id % 12 = 8",
                "UPDATE capture SET pair_id = id - 1 WHERE id % 12 = 9",
                "UPDATE capture SET bytes = 1000 WHERE id % 12 = 2", "DELETE FROM capture WHERE id % 5 = 0",
                "UPDATE capture SET is_photo = 0 WHERE id % 24 = 21",
            ] { try db.execute(sql: change) }
        }
        let later = try await ledger.totals(startOfDay: startOfDay, now: Self.now)
        #expect(try await Self.counted(ledger, since: startOfDay) == later)
        #expect(
            later.shotsLastMinute > 0 && later.shotsToday > later.shotsLastMinute && later.saved > later.today
        )
    }

    @Test(arguments: ["v3", "v9 names begun anew"])
    func `opening an older ledger computes the sums`(version: String) async throws {
        let old = try DatabaseQueue(path: path)
        try Schema.migrator(at: Self.now).migrate(old, upTo: version)
        try await old.write { db in try Self.fill(db) }
        try old.close()
        let ledger = try LedgerStore(path: path)
        let startOfDay = Self.now.addingTimeInterval(-86_400)
        let sums = try await ledger.totals(startOfDay: startOfDay, now: Self.now)
        #expect(try await Self.counted(ledger, since: startOfDay) == sums && sums.saved == 100)
    }
}
