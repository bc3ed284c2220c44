import TerminalUI

/// A table of names and their meanings, for the help of a verb.
enum HelpTable {
    /// The width of a line, in cells. On a terminal of 80 cells, the argument parser wraps longer lines
    /// without an indent.
    private static let cellsMax = 78

    /// Returns the table, with one name per row.
    static func text(_ rows: [(word: String, meaning: String)]) -> String {
        let cells = rows.map { Cells.width($0.word) }.max() ?? 0
        return rows.flatMap { row in
            let word = Span(Cells.padded(row.word, cells))
            let lines = Line.hanging(
                [word, .gap(Spacing.md)], row.meaning, to: cellsMax - Spacing.base)
            return lines.map { $0.indented(Spacing.base).text }
        }.joined(separator: "\n")
    }
}
