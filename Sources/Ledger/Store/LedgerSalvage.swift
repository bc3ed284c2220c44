import Foundation
import GRDB

/// Copies the readable rows of a damaged ledger into a new one.
struct LedgerSalvage {
    /// The path of the damaged file. The file stays unchanged.
    let kept: String

    /// The tables, in the order of their foreign keys.
    private static let tables = [
        "session", "camera", "roster", "counter", "capture", "upload_setting", "upload_job",
    ]
    /// The number of rows that share one commit.
    private static let batch = 500
    /// The length of SQLite's header and the position of its page count, in bytes. A page count of 0 makes
    /// SQLite compute it from the file size.
    private static let header = (bytes: 100, pages: 28..<32)
    /// The page size, in bytes. SQLite and GRDB use this default.
    private static let pageBytes: UInt64 = 4_096
    /// The maximum plausible size of a ledger, in bytes. A ledger with a million captures is smaller.
    private static let lengthMax: UInt64 = 4 << 30
    /// The first bytes of every database.
    private static let magic = Data("SQLite format 3\0".utf8)

    /// Copies all readable rows.
    ///
    /// - Parameter found: Receives the numbers of captures and uploads.
    /// - Throws: An error if no row can be read.
    func copy(into ledger: LedgerStore, _ found: inout LedgerFile.Replacement) throws {
        let scratch = kept + ".salvage"
        defer {
            for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: scratch + end) }
        }
        try FileManager.default.copyItem(atPath: kept, toPath: scratch)
        try? FileManager.default.copyItem(atPath: kept + "-wal", toPath: scratch + "-wal")
        try ledger.database.writeWithoutTransaction { _ = try $0.checkpoint(.full) }
        try repairHeader(of: scratch, from: ledger.database.path)
        let damaged = try DatabaseQueue(path: scratch)
        for table in Self.tables {
            let copied = (try? write(read(table, of: damaged), to: table, of: ledger)) ?? 0
            if table == "capture" { found.captures = copied }
            if table == "upload_job" { found.uploads = copied }
        }
    }

    /// Repairs the header and the length of a file. A lost header is replaced by that of the new ledger,
    /// which has the same page size. A truncated file is extended, because SQLite reads no row of a
    /// database that is shorter than its header says.
    private func repairHeader(of path: String, from sound: String) throws {
        let file = try FileHandle(forUpdating: URL(filePath: path))
        defer { try? file.close() }
        if try file.read(upToCount: Self.magic.count) != Self.magic {
            let other = try FileHandle(forReadingFrom: URL(filePath: sound))
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
        // The extension is sparse.
        if try file.seekToEnd() < length { try file.truncate(atOffset: length) }
    }

    /// Returns the rows of a table from its start to the damage, and from its end back to the damage.
    private func read(_ table: String, of database: DatabaseQueue) -> [Row] {
        var rows: [Row] = []
        // Ending the transaction may fail, too.
        try? database.read { db in
            for order in ["", " DESC"] {
                // An error stops reading in one direction only.
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

    /// Writes rows to a table of the new ledger. Skips duplicate rows and rows that violate a constraint.
    ///
    /// - Returns: The number of inserted rows.
    private func write(_ rows: [Row], to table: String, of ledger: LedgerStore) throws -> Int {
        let columns = try ledger.database.read { try $0.columns(in: table).map(\.name) }
        var taken = 0
        for start in stride(from: 0, to: rows.count, by: Self.batch) {
            try ledger.database.write { db in
                for row in rows[start..<min(start + Self.batch, rows.count)] {
                    let shared = columns.filter(row.hasColumn)
                    let places = shared.map { _ in "?" }.joined(separator: ", ")
                    let names = shared.joined(separator: ", ")
                    do {
                        try db.execute(
                            sql: "INSERT OR IGNORE INTO \(table) (\(names)) VALUES (\(places))",
                            arguments: StatementArguments(shared.map { row[$0] as DatabaseValue }))
                        taken += db.changesCount
                    } catch is DatabaseError {
                        continue
                    }
                }
            }
        }
        return taken
    }
}
