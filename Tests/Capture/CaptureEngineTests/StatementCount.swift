import Synchronization

/// What a ledger was asked to do.
final class StatementCount: Sendable {
    private let all = Mutex<[String]>([])

    /// Takes a statement.
    func note(_ sql: String) { all.withLock { $0.append(sql) } }

    /// Changes that were made durable.
    var commits: Int { changes.count }

    /// The statements of each change that was made durable.
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
