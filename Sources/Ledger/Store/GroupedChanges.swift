import FrameFastSystem
import GRDB
import Synchronization

/// A queue of changes to the ledger. Changes that wait at the same time are committed in one durable
/// transaction.
///
/// A commit of many changes costs hardly more than a commit of one change. During a burst, each photo causes
/// several changes. If a transaction with several changes fails, each change is committed in a separate
/// transaction. A failing change therefore does not affect the other changes.
final class GroupedChanges: Sendable {
    /// The maximum number of changes in one transaction. The maximum limits how long a change waits for the
    /// other changes of its transaction.
    private static let changesMax = 64

    private struct Change: Sendable {
        /// Makes the change. Returns a function to call after the change is durable.
        let make: @Sendable (Database) throws -> @Sendable () -> Void
        /// Called with the error if the change failed.
        let fail: @Sendable (any Error) -> Void
    }

    private struct State {
        var pending: [Change] = []
        var isWriting = false
        var commits: AsyncStream<Void>.Continuation?
    }

    private let database: DatabasePool
    private let state = Mutex(State())

    init(_ database: DatabasePool) { self.database = database }

    /// The number of pending changes.
    var pendingCount: Int { state.withLock(\.pending.count) }

    /// Returns a stream with an element after each transaction. The stream buffers only one element, so a
    /// slow reader receives one element for several transactions. Only the last returned stream receives
    /// elements.
    func commits() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.commits = continuation }
        return stream
    }

    /// Queues a change.
    ///
    /// - Parameters:
    ///   - body: Makes the change on the writer's thread. Runs again, in a separate transaction, if the
    ///     shared transaction failed.
    ///   - completion: Called with the value after the change is durable, or with the error.
    func add<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let change = Change(
            make: { db in
                let value = try body(db)
                return { completion(.success(value)) }
            }, fail: { completion(.failure($0)) })
        let isFirst = state.withLock { state in
            state.pending.append(change)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if isFirst { writePending() }
    }

    /// Writes pending changes in one transaction, and schedules the next transaction if more changes are
    /// pending. Other writers can run between two transactions.
    private func writePending() {
        guard SimulatedHost.current == nil else {
            // The task runs later. Several changes can therefore share a transaction inside a simulation.
            Task { writeInline() }
            return
        }
        database.asyncWriteWithoutTransaction { [self] db in writePending(db) }
    }

    /// Writes pending changes on the calling thread.
    private func writeInline() { database.writeWithoutTransaction { writePending($0) } }

    private func writePending(_ db: Database) {
        let changes = state.withLock { state in
            let changes = Array(state.pending.prefix(Self.changesMax))
            // Removes the changes. A slice with the remaining changes would keep the finished changes and
            // their objects in memory until the next change.
            state.pending.removeFirst(changes.count)
            return changes
        }
        if !Self.commitTogether(changes, db) {
            for change in changes {
                do { try Self.commit([change], db) } catch { change.fail(error) }
            }
        }
        state.withLock(\.commits)?.yield()
        let hasMore = state.withLock { state in
            state.isWriting = !state.pending.isEmpty
            return state.isWriting
        }
        if hasMore { writePending() }
    }

    private static func commitTogether(_ changes: [Change], _ db: Database) -> Bool {
        guard changes.count > 1 else { return false }
        return (try? commit(changes, db)) != nil
    }

    /// Throws the fault that a simulation injects into a commit. Does nothing outside a simulation.
    private static func throwSimulatedFault() throws(DatabaseError) {
        do throws(SystemCallError) { try SimulatedHost.willPerform(.commit, "ledger") } catch {
            throw DatabaseError(resultCode: error.isDiskFull ? .SQLITE_FULL : .SQLITE_IOERR)
        }
    }

    private static func commit(_ changes: [Change], _ db: Database) throws {
        var notifications: [@Sendable () -> Void] = []
        try db.inTransaction(.immediate) {
            for change in changes { notifications.append(try change.make(db)) }
            try throwSimulatedFault()
            return .commit
        }
        SimulatedHost.pass(.ledgerCommitted)
        for notify in notifications { notify() }
    }
}
