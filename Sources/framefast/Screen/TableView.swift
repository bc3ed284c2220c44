/// Rows with their states, figures right-aligned; where the table does not fit, each row as a few lines.
struct TableView {
    /// One column. The first is the state, the second the name.
    struct Column {
        var heading: String
        var isFigure = false
        /// What a figure is called where there are no headings, for example `failed`.
        var unit: String?
        /// The same before the figure, for example `number`.
        var lead: String?
    }

    /// One row: as many cells as there are columns; an empty one for what is not known or nothing.
    struct Row {
        var tone: Tone
        var cells: [String]

        init(_ tone: Tone, _ cells: [String]) {
            self.tone = tone
            self.cells = cells.map(TerminalText.escaped)
        }
    }

    /// A name is not cut to less than this for the sake of the table.
    static let nameCellsMin = 20

    let columns: [Column]
    let rows: [Row]

    /// - Parameter limit: Cells in a line of the terminal; `nil` where nothing is cut.
    func lines(_ layout: Layout, limit: Int?) -> [Line] {
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

extension Cells {
    /// A text without its middle, in at most `width` cells: of a file's name, start and end tell most.
    static func cutMiddle(_ text: String, to width: Int, _ ellipsis: String) -> String {
        guard Self.width(text) > width else { return text }
        let space = width - Self.width(ellipsis)
        guard space >= 2 else { return cut(text, to: width, ellipsis) }
        let head = cut(text, to: space - space / 2, "")
        let tail = cut(String(text.reversed()), to: space / 2, "")
        return head + ellipsis + String(tail.reversed())
    }
}
