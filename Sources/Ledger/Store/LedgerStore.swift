public import Foundation
import FrameFastSystem
import GRDB

/// The ledger: a database with all announced photos, their uploads, the sessions, the cameras and the
/// counters.
///
/// The ledger uses SQLite in WAL mode with `synchronous = FULL`. A completed commit survives a power failure.
public struct LedgerStore: Sendable {
    let database: DatabasePool
    private let changes: GroupedChanges
    private let readCounter = ReadCounter()
    /// Whether a newer version of FrameFast has changed the ledger. This version ignores the newer data.
    public let isFromNewerVersion: Bool

    /// The number of read transactions so far.
    public var readCount: Int { readCounter.value }

    /// The maximum number of concurrent readers: one for the status and one for a listing.
    static let readersMax = 2
    /// The longest time that a statement waits while another process (a backup, `sqlite3`) locks the file, in
    /// seconds.
    static let busyTimeout: TimeInterval = 5
    /// The number of pages in the WAL file (16 MB) at which a commit also runs a checkpoint. A checkpoint
    /// takes ten times as long as a commit, and writes each changed page once. In a benchmark, 2,000 commits
    /// of the upload queue ran 32 checkpoints with SQLite's default of 1,000 pages, and 10 checkpoints with
    /// this value.
    static let checkpointPages = 4_000

    /// Opens or creates the ledger.
    ///
    /// - Parameter now: The current time, which is stored as the creation time of a new ledger.
    /// - Throws: ``StoreError`` if the file cannot be opened, is damaged, or does not support durable
    ///   commits.
    public init(path: String, at now: Date) throws {
        try self.init(path: path, at: now, onStatement: nil)
    }

    /// Opens or creates the ledger. The creation time of a new ledger is the current time.
    ///
    /// - Throws: The errors of ``init(path:at:)``.
    public init(path: String) throws { try self.init(path: path, at: HostClock.system.now()) }

    /// - Parameter onStatement: Called with each statement of the writing connection, but not with statements
    ///   of reading connections. Tests use it to count statements.
    init(
        path: String, at now: Date = HostClock.system.now(),
        onStatement: (@Sendable (_ sql: String) -> Void)?
    ) throws {
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
            let migrator = Schema.migrator(at: now)
            try migrator.migrate(database)
            isFromNewerVersion = try database.read { try migrator.hasBeenSuperseded($0) }
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

    /// Returns the creation time of the ledger. A photo that is older than the ledger may be on the disk
    /// without a record, because a previous ledger was lost. The service searches the disk for such photos. A
    /// ledger that was restored from a backup keeps its creation time. The service therefore does not search
    /// for photos that were saved after the backup.
    ///
    /// - Returns: The time at which the ledger was created.
    /// - Throws: An error of the database.
    public func creationDate() async throws -> Date {
        try await read { db in
            Date(timeIntervalSince1970: try Double.fetchOne(db, sql: "SELECT at FROM birth") ?? 0)
        }
    }

    /// Returns whether an error means that a file is damaged or not a database.
    static func isDamage(_ error: DatabaseError) -> Bool {
        [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
    }

    /// Checks the whole file. Called before the file is migrated and used.
    static func checkIntegrity(_ database: some DatabaseReader) throws {
        let checkResult: String?
        do {
            checkResult = try database.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_IOERR {
            // Accepts a file with an unreadable sector, because the other rows are still usable.
            return
        }
        guard checkResult == "ok" else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: checkResult)
        }
    }

    /// Makes commits durable. GRDB sets `synchronous = NORMAL` when it opens a pool. With that setting, a
    /// test lost committed rows in a power failure.
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

    /// The number of pending changes.
    public var changesWaiting: Int { changes.pendingCount }

    /// Returns a stream with an element after each commit. Observers use the stream to update counts. The
    /// stream buffers only one element, so a slow reader receives one element for several commits. Only the
    /// last returned stream receives elements.
    public func commits() -> AsyncStream<Void> { changes.commits() }

    /// Waits until all earlier writes are complete.
    public func waitForWriter() async throws { try await database.writeWithoutTransaction { _ in } }

    /// Returns whether an error means that the ledger's disk is full.
    public static func isDiskFull(_ error: any Error) -> Bool {
        (error as? DatabaseError)?.resultCode == .SQLITE_FULL
    }

    /// Returns whether an error means that the ledger is damaged.
    public static func isDamaged(_ error: any Error) -> Bool {
        (error as? DatabaseError).map(isDamage) ?? false
    }

    /// Runs a read transaction. Cancelling the caller's task does not cancel the transaction. Every thrown
    /// error is therefore an error of the ledger.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        readCounter.add()
        if SimulatedHost.current != nil {
            await SimulatedHost.yield()
            return try readInline(body)
        }
        return try await withCheckedThrowingContinuation { continuation in
            database.asyncRead { result in
                continuation.resume(with: Result { try body(result.get()) })
            }
        }
    }

    /// Runs a read transaction on the calling thread.
    private func readInline<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try database.read(body)
    }

    /// Makes a change in a durable transaction. The transaction may include other changes. In this case,
    /// `body` may run twice. Cancelling the caller's task does not cancel the change. The caller therefore
    /// always learns whether a photo was recorded.
    ///
    /// - Parameter onCommit: Called after the commit and before the next commit. Events of `onCommit` are
    ///   therefore in the order of the commits, unlike events of the resumed task.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value,
        onCommit: @escaping @Sendable (Value) -> Void = { _ in }
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            changes.add(body) { result in
                if case .success(let value) = result { onCommit(value) }
                continuation.resume(with: result)
            }
        }
    }
}

/// A reason why the ledger cannot be used.
public enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file cannot be opened or migrated.
    case unusable(path: String, reason: String)
    /// The file is damaged or not a ledger.
    case damaged(path: String, reason: String)
    /// SQLite does not provide the durability that the ledger requires.
    case notDurable(journal: String, synchronous: Int)

    /// The error message.
    public var description: String {
        switch self {
        case .unusable(let path, let reason): "cannot use the ledger \(path): \(reason)"
        case .damaged(let path, let reason): "the ledger \(path) is damaged: \(reason)"
        case .notDurable(let journal, let synchronous):
            "cannot make the ledger durable: journal_mode is \(journal) and synchronous is \(synchronous), but wal and 2 are required"
        }
    }
}
