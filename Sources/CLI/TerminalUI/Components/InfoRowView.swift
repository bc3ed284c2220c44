/// Facts with their names, one a line.
public struct InfoRowView: Component {
    /// Names and facts.
    public let rows: [(label: String, value: String)]

    /// Facts.
    public init(rows: [(label: String, value: String)]) {
        self.rows = rows
    }

    /// The facts in a column of their own.
    public func lines(_ layout: Layout) -> [Line] {
        let cells = rows.map { Cells.width($0.label) }.max() ?? 0
        return rows.flatMap { row in
            let label = Span(Cells.padded(row.label, cells), .caption)
            return Line.hanging([label, .gap(Spacing.md)], row.value, to: layout.inner)
        }
    }

    /// `name: fact`.
    public func plain() -> [String] {
        rows.map { "\($0.label.lowercased()): \(TerminalText.escaped($0.value))" }
    }
}
