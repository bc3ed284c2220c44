/// Rows with their states, statistics right-aligned; where the table does not fit, each row as a few lines.
public struct TableView: Component {
    /// One column. The first is the state, the second the name.
    public struct Column: Sendable {
        /// What stands above it.
        public var heading: String
        /// Whether it is right-aligned.
        public var isFigure: Bool
        /// What a figure is called where there are no headings, for example `failed`.
        public var unit: String?
        /// The same before the figure, for example `number`.
        public var lead: String?

        /// A column.
        public init(heading: String, isFigure: Bool = false, unit: String? = nil, lead: String? = nil) {
            self.heading = heading
            self.isFigure = isFigure
            self.unit = unit
            self.lead = lead
        }
    }

    /// One row: as many cells as there are columns; an empty one for what is not known or nothing.
    public struct Row: Sendable {
        /// What the row's state means.
        public var tone: Tone
        /// What stands in the columns.
        public var cells: [String]

        /// A row.
        public init(_ tone: Tone, _ cells: [String]) {
            self.tone = tone
            self.cells = cells.map(TerminalText.escaped)
        }
    }

    /// A name is not cut to less than this for the sake of the table.
    public static let nameCellsMin = 20

    /// The columns.
    public let columns: [Column]
    /// The rows.
    public let rows: [Row]

    /// A table.
    public init(columns: [Column], rows: [Row]) {
        self.columns = columns
        self.rows = rows
    }

    /// The table, never wider than the place.
    public func lines(_ layout: Layout) -> [Line] { lines(layout, limit: layout.width) }

    /// A row a line, each fact with its name.
    public func plain() -> [String] {
        rows.map { row in
            let facts = columns.indices.dropFirst(2).filter { !row.cells[$0].isEmpty }.map { column in
                (columns[column].unit ?? columns[column].heading.lowercased()) + " " + row.cells[column]
            }
            return "\(row.cells[1]): " + ([row.cells[0]] + facts).joined(separator: ", ")
        }
    }

    /// Where rows do not fit, names are cut in the middle; where that is not enough, facts go below them.
    ///
    /// - Parameter limit: Cells in a line of the terminal; `nil` where nothing is cut.
    public func lines(_ layout: Layout, limit: Int?) -> [Line] {
        let whole = self.table(layout)
        let excess = (whole.map(\.width).max() ?? 0) - (limit ?? .max)
        if excess <= 0 { return whole }
        let names = rows.map { Cells.width($0.cells[1]) }.max() ?? 0
        guard names - excess >= Self.nameCellsMin else { return rows.flatMap { stacked($0, layout) } }
        return TableView(
            columns: columns,
            rows: rows.map { row in
                var row = row
                row.cells[1] = Cells.cutMiddle(row.cells[1], to: names - excess, layout.ellipsis)
                return row
            }
        ).table(layout)
    }

    /// A line a row; columns that nobody fills are left out.
    private func table(_ layout: Layout) -> [Line] {
        let shown = columns.indices.filter { column in
            column < 2 || rows.contains { !$0.cells[column].isEmpty }
        }
        let widths = columns.indices.map { column in
            max(
                Cells.width(columns[column].heading),
                rows.map { Cells.width($0.cells[column]) }.max() ?? 0)
        }
        let cell = { (text: String, column: Int) -> String in
            let gap = String(repeating: " ", count: widths[column] - Cells.width(text))
            return columns[column].isFigure ? gap + text : text + gap
        }
        let gutter = layout.hasUnicode ? 2 : 3
        let head = Line(
            [Span(String(repeating: " ", count: gutter))]
                + shown.map { Span(cell(columns[$0].heading, $0) + "  ", .dim) })
        let lines =
            [head]
            + rows.map { row in
                Line(
                    [layout.glyph(row.tone), Span(" ")]
                        + shown.map { column in
                            let role: Span.Role =
                                column == 0 ? .tone(row.tone) : column == 1 ? .strong : .plain
                            return Span(cell(row.cells[column], column) + "  ", role)
                        })
            }
        return lines.map { Line(Self.withoutTrailingSpace($0.spans)) }
    }

    private static func withoutTrailingSpace(_ spans: [Span]) -> [Span] {
        guard let last = spans.last else { return spans }
        let text = String(last.text.reversed().drop { $0 == " " }.reversed())
        return text.isEmpty
            ? withoutTrailingSpace(Array(spans.dropLast())) : spans.dropLast() + [Span(text, last.role)]
    }

    /// State and name, and below them the facts: for terminals that are too narrow for a table.
    private func stacked(_ row: Row, _ layout: Layout) -> [Line] {
        let facts = columns.indices.dropFirst(2).compactMap { column -> String? in
            guard !row.cells[column].isEmpty else { return nil }
            return (columns[column].lead.map { $0 + " " } ?? "") + row.cells[column]
                + (columns[column].unit.map { " " + $0 } ?? "")
        }.joined(separator: layout.dot)
        let badge = layout.badge(row.tone, row.cells[0])
        let space = layout.width - Line(badge).width - 2
        let name = Cells.cutMiddle(row.cells[1], to: max(1, space), layout.ellipsis)
        return [Line(badge + [Span("  "), Span(name, .strong)]).cut(to: layout.width, layout)]
            + Cells.wrap(facts, to: layout.width - 3).map { Line($0, .dim).indented(2) }
    }
}
