import Foundation
public import FrameFastModel
import GRDB

/// Facts about the previews of files, by content.
extension LedgerStore {
    /// Saves the facts of a preview, and replaces earlier facts of the same content.
    public func savePreview(_ preview: PreviewRecord) async throws {
        try await write { db in
            let insert = try db.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO preview (sha256, width, height, mean_color, state, fails)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """)
            try insert.execute(arguments: [
                preview.sha256, preview.width, preview.height, preview.meanColor, preview.state.rawValue,
                preview.workerFailures,
            ])
        }
    }

    /// Returns the facts of the preview of a content, or `nil` if the content was not examined.
    public func preview(sha256: String) async throws -> PreviewRecord? {
        try await read { db in
            let statement = try db.cachedStatement(sql: "SELECT * FROM preview WHERE sha256 = ?")
            return try Row.fetchOne(statement, arguments: [sha256])
                .flatMap { PreviewRecord(row: $0, stateColumn: "state", sha256: sha256) }
        }
    }
}

extension PreviewRecord {
    /// Returns `nil` if the row has no state, because a join found no preview.
    ///
    /// - Parameter stateColumn: The column that contains the state.
    init?(row: Row, stateColumn: String, sha256: String) {
        guard let word = row[stateColumn] as String? else { return nil }
        // A state of a newer version counts as ready.
        self.init(
            sha256: sha256, state: State(rawValue: word) ?? .ready, width: row["width"],
            height: row["height"], meanColor: row["mean_color"], workerFailures: row["fails"])
    }
}
