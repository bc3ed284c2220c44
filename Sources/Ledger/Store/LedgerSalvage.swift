import Foundation
import GRDB

/// An operation that copies the readable rows of a damaged ledger into a new ledger.
struct LedgerSalvage {
    /// The path of the damaged file. The file stays unchanged.
    let damagedPath: String

    /// The tables, in the order of their foreign keys.
    private static let tables = [
        "session", "camera", "roster", "counter", "capture", "upload_setting", "upload_job",
        "upload_unrated", "opinion", "preview", "web_device",
    ]
    /// The number of rows in one commit.
    private static let batch = 500
    /// The length of SQLite's header, and the position of the page count in the header, in bytes. If the page
    /// count is 0, SQLite computes the count from the file size.
    private static let header = (bytes: 100, pages: 28..<32)
    /// The default page size of SQLite and GRDB, in bytes.
    private static let pageBytes: UInt64 = 4_096
    /// The largest plausible size of a ledger, in bytes. A ledger with a million captures is smaller.
    private static let lengthMax: UInt64 = 4 << 30
    /// A number above all plausible numbers of captures. If a damaged row reserved a larger number, SQLite
    /// might have no numbers for new captures.
    private static let plausibleIDMax: Int64 = 1 << 40
    /// The first bytes of every SQLite database.
    private static let magic = Data("SQLite format 3\0".utf8)

    /// Copies all readable rows into a new ledger.
    ///
    /// - Parameter found: Receives the numbers of copied captures and uploads.
    /// - Throws: An error if the damaged file can't be copied or opened.
    func copy(into ledger: LedgerStore, _ found: inout LedgerFile.Replacement) throws {
        let scratch = damagedPath + ".salvage"
        func removeScratch() {
            for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: scratch + end) }
        }
        // A start that stopped during the copy left these files. A file at the path prevents a copy.
        removeScratch()
        defer { removeScratch() }
        try FileManager.default.copyItem(atPath: damagedPath, toPath: scratch)
        try? FileManager.default.copyItem(atPath: damagedPath + "-wal", toPath: scratch + "-wal")
        try ledger.database.writeWithoutTransaction { _ = try $0.checkpoint(.full) }
        try repairHeader(of: scratch, from: ledger.database.path)
        let damaged = try DatabaseQueue(path: scratch)
        for table in Self.tables {
            let copied = (try? write(read(table, of: damaged), to: table, of: ledger)) ?? 0
            if table == "capture" { found.captures = copied }
            if table == "upload_job" { found.uploads = copied }
        }
        try? reserveDeviceIDs(in: ledger)
        try? reserveCaptureIDs(in: ledger)
    }

    /// Reserves the ids of all devices of the web page that have given an opinion. New devices get higher
    /// ids. A revoked device has no row, and a new device must not inherit the opinions of a revoked device.
    private func reserveDeviceIDs(in ledger: LedgerStore) throws {
        try ledger.database.write { db in
            let authors = try String.fetchAll(
                db, sql: "SELECT DISTINCT author_key FROM opinion WHERE author_key LIKE 'device:%'")
            let highest = authors.compactMap { Int64($0.dropFirst("device:".count)) }.max() ?? 0
            try Self.reserve(highest, in: "web_device", db)
        }
    }

    /// Reserves the numbers of all captures that other rows refer to. New captures get higher numbers. If the
    /// row of such a capture is unreadable, a new capture must not inherit the opinions about it.
    private func reserveCaptureIDs(in ledger: LedgerStore) throws {
        try ledger.database.write { db in
            let highest = try Int64.fetchOne(
                db,
                sql: """
                    SELECT max(id) FROM (SELECT capture_id AS id FROM opinion
                        UNION ALL SELECT capture_id FROM upload_unrated
                        UNION ALL SELECT twin_id FROM capture)
                    WHERE id < ?
                    """, arguments: [Self.plausibleIDMax])
            try Self.reserve(highest ?? 0, in: "capture", db)
        }
    }

    /// Reserves the numbers up to `highest` in a table. New rows get higher numbers.
    private static func reserve(_ highest: Int64, in table: String, _ db: Database) throws {
        let used = try Int64.fetchOne(
            db, sql: "SELECT seq FROM sqlite_sequence WHERE name = ?", arguments: [table])
        guard highest > used ?? 0 else { return }
        try db.execute(sql: "DELETE FROM sqlite_sequence WHERE name = ?", arguments: [table])
        try db.execute(
            sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", arguments: [table, highest])
    }

    /// Repairs the header and the length of a file. Replaces an overwritten header with the header of the new
    /// ledger, which has the same page size. Extends a truncated file, because SQLite refuses to read a
    /// database that is shorter than its header states.
    private func repairHeader(of path: String, from intactPath: String) throws {
        let file = try FileHandle(forUpdating: URL(filePath: path))
        defer { try? file.close() }
        if try file.read(upToCount: Self.magic.count) != Self.magic {
            let other = try FileHandle(forReadingFrom: URL(filePath: intactPath))
            defer { try? other.close() }
            guard var header = try other.read(upToCount: Self.header.bytes), header.count == Self.header.bytes
            else { return }
            header.replaceSubrange(Self.header.pages, with: Data(count: Self.header.pages.count))
            try file.seek(toOffset: 0)
            try file.write(contentsOf: header)
        }
        try file.seek(toOffset: UInt64(Self.header.pages.lowerBound))
        let stated = [UInt8](try file.read(upToCount: Self.header.pages.count) ?? Data())
            .reduce(0) { $0 << 8 | UInt64($1) }
        let length = min(stated * Self.pageBytes, Self.lengthMax)
        // Extends the file without allocating disk space.
        if try file.seekToEnd() < length { try file.truncate(atOffset: length) }
    }

    /// Returns the readable rows of a table. Reads from the first row up to an unreadable row, and then from
    /// the last row backward. A row may appear twice.
    private func read(_ table: String, of database: DatabaseQueue) -> [Row] {
        var rows: [Row] = []
        // Ignores an error at the end of the transaction.
        try? database.read { db in
            for order in ["", " DESC"] {
                // After an error, continues in the other direction.
                do {
                    let key = try db.primaryKey(table).columns.map { "\"\($0)\"\(order)" }
                    let cursor = try Row.fetchCursor(
                        db, sql: "SELECT * FROM \(table) ORDER BY \(key.joined(separator: ", "))")
                    while let row = try cursor.next() { rows.append(row.copy()) }
                    return
                } catch { continue }
            }
        }
        return rows
    }

    /// Inserts rows into a table of the new ledger. Skips duplicate rows and rows that violate a constraint.
    ///
    /// - Returns: The number of inserted rows.
    private func write(_ rows: [Row], to table: String, of ledger: LedgerStore) throws -> Int {
        let columns = try ledger.database.read { try $0.columns(in: table).map(\.name) }
        var inserted = 0
        for start in stride(from: 0, to: rows.count, by: Self.batch) {
            try ledger.database.write { db in
                for row in rows[start..<min(start + Self.batch, rows.count)] {
                    let shared = columns.filter(row.hasColumn)
                    let placeholders = shared.map { _ in "?" }.joined(separator: ", ")
                    let names = shared.joined(separator: ", ")
                    do {
                        try db.execute(
                            sql: "INSERT OR IGNORE INTO \(table) (\(names)) VALUES (\(placeholders))",
                            arguments: StatementArguments(shared.map { row[$0] as DatabaseValue }))
                        inserted += db.changesCount
                    } catch is DatabaseError {
                        continue
                    }
                }
            }
        }
        return inserted
    }
}
