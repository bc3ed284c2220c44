import TerminalUI

/// Words and what they mean, in the help of a verb.
enum HelpTable {
    /// A line a word, the meanings below each other.
    static func text(_ rows: [(word: String, meaning: String)]) -> String {
        let cells = rows.map { Cells.width($0.word) }.max() ?? 0
        return rows.map { row in
            let word = Span(Cells.padded(row.word, cells))
            return Line([word, .gap(Spacing.md), Span(row.meaning)]).indented(Spacing.base).text
        }.joined(separator: "\n")
    }
}
