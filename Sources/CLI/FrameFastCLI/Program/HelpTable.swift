import TerminalUI

/// Words and what they mean, in the help of a verb.
enum HelpTable {
    /// Cells of a line. The argument parser cuts longer ones without an indent where a terminal has 80.
    private static let cellsMax = 78

    /// The words with their meanings below each other.
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
