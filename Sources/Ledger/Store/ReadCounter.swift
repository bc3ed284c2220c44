import Synchronization

/// A counter of read transactions. Tests check that a status needs a fixed number of them, regardless of
/// the number of cameras.
final class ReadCounter: Sendable {
    private let count = Atomic<Int>(0)

    /// The number of read transactions so far.
    var value: Int { count.load(ordering: .relaxed) }

    /// Counts a read transaction.
    func add() { count.add(1, ordering: .relaxed) }
}
