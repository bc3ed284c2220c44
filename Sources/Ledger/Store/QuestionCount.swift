import Synchronization

/// Counts what the ledger is asked: tests hold a status to a number of questions, however many cameras there are.
final class QuestionCount: Sendable {
    private let count = Atomic<Int>(0)

    /// Questions so far.
    var value: Int { count.load(ordering: .relaxed) }

    /// One more.
    func add() { count.add(1, ordering: .relaxed) }
}
