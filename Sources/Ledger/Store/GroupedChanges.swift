import GRDB
import Synchronization

/// Changes of the ledger that wait for their turn, in order: those that wait together share one durable transaction.
///
/// A commit costs the disk the same whatever is in it, and in a burst there are several for each photo. What cannot be
/// made together is made one by one, so that a change fails only by itself.
final class GroupedChanges: Sendable {
    /// Most changes in one transaction: bounds how long the first waits for the last.
    private static let togetherMax = 64

    private struct Change: Sendable {
        /// Makes it; gives what is to be done when it is durable.
        let make: @Sendable (Database) throws -> @Sendable () -> Void
        /// Told why it could not be made.
        let fail: @Sendable (any Error) -> Void
    }

    private struct State {
        var waiting: ArraySlice<Change> = []
        var isWriting = false
        var commits: AsyncStream<Void>.Continuation?
    }

    private let database: DatabasePool
    private let state = Mutex(State())

    init(_ database: DatabasePool) { self.database = database }

    /// Changes whose turn has not come.
    var waitingCount: Int { state.withLock(\.waiting.count) }

    /// Returns a stream with an element after each transaction. Transactions that come before its reader looks are one
    /// element. Only the newest stream gets them.
    func commits() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.commits = continuation }
        return stream
    }

    /// Makes a change when its turn comes.
    ///
    /// - Parameters:
    ///   - body: Run on the writer's thread; once more when a change beside it could not be made.
    ///   - answer: Told the value when it is durable, or why there is none.
    func add<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value,
        answer: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let change = Change(
            make: { db in
                let value = try body(db)
                return { answer(.success(value)) }
            }, fail: { answer(.failure($0)) })
        let isFirst = state.withLock { state in
            state.waiting.append(change)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if isFirst { writeWaiting() }
    }

    /// One transaction for each turn at the writer: others who want one get theirs in between.
    private func writeWaiting() {
        database.asyncWriteWithoutTransaction { [self] db in
            let changes = state.withLock { state in
                defer { state.waiting = state.waiting.dropFirst(Self.togetherMax) }
                return Array(state.waiting.prefix(Self.togetherMax))
            }
            if !Self.makeTogether(changes, db) {
                for change in changes {
                    do { try Self.commit([change], db) } catch { change.fail(error) }
                }
            }
            state.withLock(\.commits)?.yield()
            let isMore = state.withLock { state in
                state.isWriting = !state.waiting.isEmpty
                return state.isWriting
            }
            if isMore { writeWaiting() }
        }
    }

    private static func makeTogether(_ changes: [Change], _ db: Database) -> Bool {
        guard changes.count > 1 else { return false }
        return (try? commit(changes, db)) != nil
    }

    private static func commit(_ changes: [Change], _ db: Database) throws {
        var done: [@Sendable () -> Void] = []
        try db.inTransaction(.immediate) {
            for change in changes { done.append(try change.make(db)) }
            return .commit
        }
        for tell in done { tell() }
    }
}
