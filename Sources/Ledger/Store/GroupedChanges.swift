import GRDB
import Synchronization

/// A queue of changes to the ledger. Changes that wait at the same time share one durable transaction.
///
/// A commit costs the disk the same regardless of its size, and a burst causes several for each photo. If a
/// joint transaction fails, each change gets its own, so that a failing change affects only itself.
final class GroupedChanges: Sendable {
    /// The most changes in one transaction. The limit bounds how long the first change waits for the last
    /// one.
    private static let togetherMax = 64

    private struct Change: Sendable {
        /// Makes the change, and returns a function to call when the change is durable.
        let make: @Sendable (Database) throws -> @Sendable () -> Void
        /// Called with the error if the change failed.
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

    /// The number of waiting changes.
    var waitingCount: Int { state.withLock(\.waiting.count) }

    /// Returns a stream with an element after each transaction. The stream keeps only the newest element,
    /// so several transactions may appear as one. Only the newest stream receives elements.
    func commits() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.commits = continuation }
        return stream
    }

    /// Queues a change.
    ///
    /// - Parameters:
    ///   - body: Runs on the writer's thread. Runs a second time if another change of the same transaction
    ///     failed.
    ///   - answer: Called with the value when the change is durable, or with the error.
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

    /// Writes the waiting changes in one transaction, then queues the next one. Other writers get their
    /// turn in between.
    private func writeWaiting() {
        database.asyncWriteWithoutTransaction { [self] db in
            let changes = state.withLock { state in
                defer { state.waiting = state.waiting.dropFirst(Self.togetherMax) }
                return Array(state.waiting.prefix(Self.togetherMax))
            }
            if !Self.commitTogether(changes, db) {
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

    private static func commitTogether(_ changes: [Change], _ db: Database) -> Bool {
        guard changes.count > 1 else { return false }
        return (try? commit(changes, db)) != nil
    }

    private static func commit(_ changes: [Change], _ db: Database) throws {
        var done: [@Sendable () -> Void] = []
        try db.inTransaction(.immediate) {
            for change in changes { done.append(try change.make(db)) }
            return .commit
        }
        for notify in done { notify() }
    }
}
