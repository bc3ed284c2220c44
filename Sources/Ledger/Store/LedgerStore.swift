public import Foundation
import GRDB

/// The ledger: every photo that a camera ever announced, the sessions, the cameras and the running numbers.
///
/// SQLite in WAL mode with `synchronous = FULL`: a commit that returned survives a power cut.
public struct LedgerStore: Sendable {
    let database: DatabasePool
    private let changes: GroupedChanges
    private let asked = QuestionCount()

    /// What it was asked so far; changes are not counted.
    public var questions: Int { asked.value }

    /// Readers beside the one writer: status and one listing at a time.
    static let readersMax = 2
    /// How long a statement waits for another process (a backup, `sqlite3`) that holds the file, in seconds.
    static let busyTimeout: TimeInterval = 5
    /// Pages of the log (16 MB) before a commit also writes them back into the ledger's file, which takes ten times as long
    /// as the commit. A commit of the upload queue has some 16 of them: with SQLite's own 1,000 every sixtieth paid for it,
    /// now every 200th, and a page that changed often is written back once.
    static let checkpointPages = 4_000

    /// Opens or creates the ledger.
    ///
    /// - Parameter now: The present time, which becomes the birth of a new ledger.
    /// - Throws: ``StoreError`` when the file cannot be used or durability cannot be had.
    public init(path: String, at now: Date = Date()) throws {
        try self.init(path: path, at: now, onStatement: nil)
    }

    /// - Parameter onStatement: Told each statement of the connection that writes, for tests that count them: those of
    ///   connections that read come between.
    init(path: String, at now: Date = Date(), onStatement: (@Sendable (_ sql: String) -> Void)?) throws {
        var configuration = Configuration()
        if let onStatement {
            configuration.prepareDatabase { db in
                guard !db.configuration.readonly else { return }
                db.trace(options: .statement) { if case .statement(let it) = $0 { onStatement(it.sql) } }
            }
        }
        configuration.maximumReaderCount = Self.readersMax
        configuration.busyMode = .timeout(Self.busyTimeout)
        do {
            database = try DatabasePool(path: path, configuration: configuration)
            try Self.requireSoundness(database)
            try Schema.migrator(at: now).migrate(database)
            try Self.requireDurability(database)
            changes = GroupedChanges(database)
        } catch let error as StoreError {
            throw error
        } catch let error as DatabaseError where Self.isDamage(error) {
            throw StoreError.damaged(path: path, reason: error.message ?? "\(error.resultCode)")
        } catch {
            throw StoreError.unusable(path: path, reason: String(describing: error))
        }
    }

    /// The time since which the ledger has every photo. Of earlier photos some may be on the disk without a record: those
    /// of a ledger that was lost. A ledger that was restored from a backup keeps its birth, and misses the photos that were
    /// saved after the backup: they are not looked for on the disk.
    ///
    /// - Returns: The time at which the ledger was created.
    /// - Throws: An error of the database.
    public func birth() async throws -> Date {
        try await read { db in
            Date(timeIntervalSince1970: try Double.fetchOne(db, sql: "SELECT at FROM birth") ?? 0)
        }
    }

    /// Whether SQLite says that a file is damaged, or no database.
    static func isDamage(_ error: DatabaseError) -> Bool {
        [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
    }

    /// Looks through the whole file before anything relies on it, and before a migration changes it.
    static func requireSoundness(_ database: some DatabaseReader) throws {
        let verdict: String?
        do {
            verdict = try database.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_IOERR {
            // A sector that can't be read may hold old photos only. The ledger is used as far as it can be read.
            return
        }
        guard verdict == "ok" else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: verdict)
        }
    }

    /// GRDB sets `synchronous = NORMAL` when it opens a pool; in a power-cut test that lost every acknowledged row.
    private static func requireDurability(_ database: DatabasePool) throws {
        let (mode, level) = try database.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = \(checkpointPages)")
            return (
                try String.fetchOne(db, sql: "PRAGMA journal_mode") ?? "none",
                try Int.fetchOne(db, sql: "PRAGMA synchronous") ?? -1
            )
        }
        guard mode == "wal", level == 2 else {
            throw StoreError.notDurable(journal: mode, synchronous: level)
        }
    }

    /// Changes that wait for others to be durable.
    var changesWaiting: Int { changes.waitingCount }

    /// Returns a stream with an element when changes have become durable: a number that was counted before may have changed.
    /// Changes that come before its reader looks are one element. Only the newest stream gets them.
    public func commits() -> AsyncStream<Void> { changes.commits() }

    /// Returns when the ledger would take a change now: what is being written is through. Changes nothing.
    public func waitForTurn() async throws { try await database.writeWithoutTransaction { _ in } }

    /// Whether a change was refused because the disk of the ledger is full.
    public static func isDiskFull(_ error: any Error) -> Bool {
        (error as? DatabaseError)?.resultCode == .SQLITE_FULL
    }

    /// Whether a change was refused because the ledger is damaged.
    public static func isDamaged(_ error: any Error) -> Bool {
        (error as? DatabaseError).map(isDamage) ?? false
    }

    /// Answers a question with one read transaction. Who asks may be cancelled meanwhile: the answer comes all the same,
    /// and an error is always the ledger's own.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        asked.add()
        return try await withCheckedThrowingContinuation { continuation in
            database.asyncRead { result in
                continuation.resume(with: Result { try body(result.get()) })
            }
        }
    }

    /// Makes a change in a durable transaction, which it may share with others that wait; `body` may be run twice
    /// then. A change that was begun is made, also when who makes it is cancelled: a session that ends must not
    /// leave it open whether a photo is on record.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            changes.add(body) { continuation.resume(with: $0) }
        }
    }
}

/// Why the ledger cannot be used.
public enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file cannot be opened or migrated.
    case unusable(path: String, reason: String)
    /// The file is damaged, or no ledger.
    case damaged(path: String, reason: String)
    /// SQLite does not give the durability that the ledger needs.
    case notDurable(journal: String, synchronous: Int)

    /// For people: what is wrong, and where it helps what to do.
    public var description: String {
        switch self {
        case .unusable(let path, let reason): "cannot use the ledger \(path): \(reason)"
        case .damaged(let path, let reason): "the ledger \(path) is damaged: \(reason)"
        case .notDurable(let journal, let synchronous):
            "cannot make the ledger durable: journal_mode is \(journal), synchronous is \(synchronous), wanted wal and 2"
        }
    }
}
