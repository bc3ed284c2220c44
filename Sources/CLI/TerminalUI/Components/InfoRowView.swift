/// A list of labeled facts, one per line.
public struct InfoRowView: Component {
    /// The labels and facts.
    public let rows: [(label: String, value: String)]

    /// Creates a view of facts.
    public init(rows: [(label: String, value: String)]) {
        self.rows = rows
    }

    /// Returns the labels and the facts in two columns.
    public func lines(_ layout: Layout) -> [Line] {
        let cells = rows.map { Cells.width($0.label) }.max() ?? 0
        return rows.flatMap { row in
            let label = Span(Cells.padded(row.label, cells), .caption)
            return Line.hanging([label, .gap(Spacing.md)], row.value, to: layout.inner)
        }
    }

    /// Returns lines of the form `label: fact`.
    public func plain() -> [String] {
        rows.map { "\($0.label.lowercased()): \(TerminalText.escaped($0.value))" }
    }
}
