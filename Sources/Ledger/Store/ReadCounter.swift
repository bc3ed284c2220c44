import Synchronization

/// A counter of read transactions. Tests use it to check that the status needs the same number of
/// transactions for any number of cameras.
final class ReadCounter: Sendable {
    private let count = Atomic<Int>(0)

    /// The number of read transactions so far.
    var value: Int { count.load(ordering: .relaxed) }

    /// Counts a read transaction.
    func add() { count.add(1, ordering: .relaxed) }
}
