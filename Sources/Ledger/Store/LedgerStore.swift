public import Foundation
import GRDB

/// The ledger: all photos that cameras have announced, the sessions, the cameras and the counters.
///
/// The ledger uses SQLite in WAL mode with `synchronous = FULL`: a commit that returned survives a power
/// cut.
public struct LedgerStore: Sendable {
    let database: DatabasePool
    private let changes: GroupedChanges
    private let readCounter = ReadCounter()

    /// The number of read transactions so far. Changes do not count.
    public var readCount: Int { readCounter.value }

    /// The most concurrent readers: one for the status and one for a listing.
    static let readersMax = 2
    /// The time that a statement waits for another process that locks the file (a backup, `sqlite3`), in
    /// seconds.
    static let busyTimeout: TimeInterval = 5
    /// The number of pages in the log (16 MB) at which a commit also writes them back into the ledger's
    /// file. The checkpoint takes ten times as long as the commit. A commit of the upload queue has about
    /// 16 pages. With SQLite's default of 1,000 pages every 60th commit was slow, and now every 200th is. A
    /// page that changed often is written back once.
    static let checkpointPages = 4_000

    /// Opens or creates the ledger.
    ///
    /// - Parameter now: The current time, which becomes the creation time of a new ledger.
    /// - Throws: ``StoreError`` if the file cannot be used or cannot be made durable.
    public init(path: String, at now: Date = Date()) throws {
        try self.init(path: path, at: now, onStatement: nil)
    }

    /// - Parameter onStatement: Called with each statement of the writing connection. Tests use it to count
    ///   statements; reading connections would add to the count.
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
            try Self.checkIntegrity(database)
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

    /// Returns the time since which the ledger has every photo. The disk may have earlier photos without a
    /// record, from a ledger that was lost. A ledger that was restored from a backup keeps its creation
    /// time. It misses the photos that were saved after the backup, and the disk is not searched for them.
    ///
    /// - Returns: The time at which the ledger was created.
    /// - Throws: An error of the database.
    public func creationDate() async throws -> Date {
        try await read { db in
            Date(timeIntervalSince1970: try Double.fetchOne(db, sql: "SELECT at FROM birth") ?? 0)
        }
    }

    /// Whether an error means that a file is damaged or not a database.
    static func isDamage(_ error: DatabaseError) -> Bool {
        [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
    }

    /// Checks the whole file before it is used or migrated.
    static func checkIntegrity(_ database: some DatabaseReader) throws {
        let verdict: String?
        do {
            verdict = try database.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_IOERR {
            // An unreadable sector may contain only old photos. The ledger is used as far as it can be
            // read.
            return
        }
        guard verdict == "ok" else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: verdict)
        }
    }

    /// Makes commits durable. GRDB sets `synchronous = NORMAL` when it opens a pool, and a power-cut test
    /// lost every acknowledged row in that mode.
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

    /// The number of waiting changes.
    var changesWaiting: Int { changes.waitingCount }

    /// Returns a stream with an element after changes have become durable, because counts may have changed.
    /// The stream keeps only the newest element, so several changes may appear as one. Only the newest
    /// stream receives elements.
    public func commits() -> AsyncStream<Void> { changes.commits() }

    /// Waits until all earlier writes are done. Changes nothing.
    public func waitForWriter() async throws { try await database.writeWithoutTransaction { _ in } }

    /// Whether a change failed because the ledger's disk is full.
    public static func isDiskFull(_ error: any Error) -> Bool {
        (error as? DatabaseError)?.resultCode == .SQLITE_FULL
    }

    /// Whether a change failed because the ledger is damaged.
    public static func isDamaged(_ error: any Error) -> Bool {
        (error as? DatabaseError).map(isDamage) ?? false
    }

    /// Runs a read transaction. It also completes if the caller's task is cancelled, so an error always
    /// comes from the ledger.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        readCounter.add()
        return try await withCheckedThrowingContinuation { continuation in
            database.asyncRead { result in
                continuation.resume(with: Result { try body(result.get()) })
            }
        }
    }

    /// Makes a change in a durable transaction, which it may share with other changes. In this case `body`
    /// may run twice. The change also completes if the caller's task is cancelled: the end of a session
    /// must not leave it open whether a photo is recorded.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            changes.add(body) { continuation.resume(with: $0) }
        }
    }
}

/// An error that makes the ledger unusable.
public enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file cannot be opened or migrated.
    case unusable(path: String, reason: String)
    /// The file is damaged or not a ledger.
    case damaged(path: String, reason: String)
    /// SQLite does not provide the durability that the ledger needs.
    case notDurable(journal: String, synchronous: Int)

    /// The error and, if possible, the next step.
    public var description: String {
        switch self {
        case .unusable(let path, let reason): "cannot use the ledger \(path): \(reason)"
        case .damaged(let path, let reason): "the ledger \(path) is damaged: \(reason)"
        case .notDurable(let journal, let synchronous):
            "cannot make the ledger durable: journal_mode is \(journal), synchronous is \(synchronous), wanted wal and 2"
        }
    }
}
