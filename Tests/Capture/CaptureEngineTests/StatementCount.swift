import Synchronization

/// A record of the SQL statements that a ledger executes.
final class StatementCount: Sendable {
    private let all = Mutex<[String]>([])

    /// Records a statement.
    func record(_ sql: String) { all.withLock { $0.append(sql) } }

    /// The number of committed transactions.
    var commits: Int { changes.count }

    /// The statements of each committed transaction.
    var changes: [[String]] {
        var changes: [[String]] = []
        var open: [String]?
        for sql in all.withLock(\.self) {
            if sql.hasPrefix("BEGIN IMMEDIATE") {
                open = []
            } else if sql.hasPrefix("COMMIT") {
                if let open { changes.append(open) }
                open = nil
            } else {
                open?.append(sql)
            }
        }
        return changes
    }
}
