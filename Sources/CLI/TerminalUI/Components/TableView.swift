/// A table of items with their states. Figures are right-aligned. If the table does not fit, each row takes
/// several lines.
public struct TableView: Component {
    /// A column of the table. The first column contains the states. The second column contains the names,
    /// unless it contains figures.
    public struct Column: Sendable {
        /// The heading.
        public var heading: String
        /// Whether the column is right-aligned.
        public var isFigure: Bool
        /// The text after the figure in a row of several lines, for example `failed`. ``plain()`` writes it
        /// before the figure.
        public var unit: String?
        /// The text before the figure in a row of several lines, for example `number`.
        public var lead: String?
        /// The minimum width of a truncated text, in cells. `nil` means ``TableView/nameCellsMin`` for a
        /// column of names. The texts of any other column are then not truncated.
        public var cellsMin: Int?
        /// The order in which columns are omitted: the highest number first. A column with 0 is never
        /// omitted.
        public var dropOrder: Int

        /// Creates a column.
        public init(
            heading: String, isFigure: Bool = false, unit: String? = nil, lead: String? = nil,
            cellsMin: Int? = nil, dropOrder: Int = 0
        ) {
            self.heading = heading
            self.isFigure = isFigure
            self.unit = unit
            self.lead = lead
            self.cellsMin = cellsMin
            self.dropOrder = dropOrder
        }
    }

    /// One row, with one cell for each column. A cell is empty if its value is unknown or zero.
    public struct Row: Sendable {
        /// The tone of the state.
        public var tone: Tone
        /// The texts of the cells.
        public var cells: [String]

        /// Creates a row.
        public init(_ tone: Tone, _ cells: [String]) {
            self.tone = tone
            self.cells = cells.map(TerminalText.escaped)
        }
    }

    /// The minimum width of a truncated name, in cells.
    public static let nameCellsMin = 20
    /// The minimum width of a truncated text, in cells, while the table can still omit a column.
    static let comfortableCells = 24

    /// The columns.
    public let columns: [Column]
    /// The rows.
    public let rows: [Row]

    /// Creates a table.
    public init(columns: [Column], rows: [Row]) {
        self.columns = columns
        self.rows = rows
    }

    /// Returns the table, never wider than the layout.
    ///
    /// The table first truncates long texts in the middle, then omits columns, then truncates short texts. If
    /// the table still does not fit, each row takes several lines.
    public func lines(_ layout: Layout) -> [Line] {
        var shown = columns.indices.filter { column in
            column < 2 || rows.contains { !$0.cells[column].isEmpty }
        }
        while true {
            let next = firstRemovableColumn(of: shown)
            if let widths = widths(of: shown, cutTo: next == nil ? 0 : Self.comfortableCells, layout) {
                return table(shown, widths, layout)
            }
            guard let next else { return rows.flatMap { stacked($0, layout) } }
            shown.removeAll { $0 == next }
        }
    }

    /// Returns one line for each row: name, state and the other cells, each after its unit or heading.
    public func plain() -> [String] {
        rows.map { row in
            let facts = columns.indices.dropFirst(2).filter { !row.cells[$0].isEmpty }.map { column in
                (columns[column].unit ?? columns[column].heading.lowercased()) + " " + row.cells[column]
            }
            return "\(row.cells[1]): " + ([row.cells[0]] + facts).joined(separator: ", ")
        }
    }

    // MARK: Fitting

    private func firstRemovableColumn(of shown: [Int]) -> Int? {
        shown.filter { columns[$0].dropOrder > 0 }.max { columns[$0].dropOrder < columns[$1].dropOrder }
    }

    /// Returns the widths of the columns in cells. Truncates the column with the most spare width first.
    ///
    /// - Parameter least: The minimum width of a truncated text, in cells.
    /// - Returns: The widths by column, or `nil` if the columns do not fit.
    private func widths(of shown: [Int], cutTo least: Int, _ layout: Layout) -> [Int: Int]? {
        var widths: [Int: Int] = [:]
        for column in shown {
            let texts = [columns[column].heading] + rows.map { $0.cells[column] }
            widths[column] = texts.map(Cells.width).max() ?? 0
        }
        let gaps = (shown.count - 1) * Spacing.md
        var excess = gutter(layout) + widths.values.reduce(0, +) + gaps - layout.inner
        while excess > 0 {
            let spare = shown.map { column in
                (
                    column,
                    (widths[column] ?? 0) - max(least, cellsMin(column), Cells.width(columns[column].heading))
                )
            }
            guard let widest = spare.max(by: { $0.1 < $1.1 }), widest.1 > 0 else { return nil }
            widths[widest.0, default: 0] -= 1
            excess -= 1
        }
        return widths
    }

    private func cellsMin(_ column: Int) -> Int {
        columns[column].cellsMin ?? (isName(column) ? Self.nameCellsMin : .max / 2)
    }

    /// Returns whether a column contains the names of the rows.
    private func isName(_ column: Int) -> Bool { column == 1 && !columns[column].isFigure }

    /// Returns the width of a symbol and its gap, in cells.
    private func gutter(_ layout: Layout) -> Int { Line(layout.sign(.neutral)).width }

    // MARK: Drawing

    /// Returns the headings, and one line for each row.
    private func table(_ shown: [Int], _ widths: [Int: Int], _ layout: Layout) -> [Line] {
        let cell = { (text: String, column: Int) -> String in
            let width = widths[column] ?? 0
            let text = Cells.cutMiddle(text, to: width, layout.ellipsis)
            return columns[column].isFigure ? Cells.right(text, width) : Cells.padded(text, width)
        }
        let gap = Span.gap(Spacing.md)
        let head =
            [.gap(gutter(layout))]
            + shown.flatMap { [Span(cell(columns[$0].heading, $0), .caption), gap] }
        let body = rows.map { row in
            layout.sign(row.tone)
                + shown.flatMap { column -> [Span] in
                    let role: Span.Role =
                        column == 0 ? .tone(row.tone) : isName(column) ? .emphasised : .primary
                    return [Span(cell(row.cells[column], column), role), gap]
                }
        }
        return ([head] + body).map { Line(Self.withoutTrailingSpace($0)) }
    }

    private static func withoutTrailingSpace(_ spans: [Span]) -> [Span] {
        guard let last = spans.last else { return spans }
        let text = String(last.text.reversed().drop { $0.isWhitespace }.reversed())
        return text.isEmpty
            ? withoutTrailingSpace(Array(spans.dropLast())) : spans.dropLast() + [Span(text, last.role)]
    }

    /// Returns state and name, with the facts below them, for narrow terminals.
    private func stacked(_ row: Row, _ layout: Layout) -> [Line] {
        let badge = layout.badge(row.tone, row.cells[0])
        let space = layout.inner - Line(badge).width - Spacing.md
        let name = Cells.cutMiddle(row.cells[1], to: max(1, space), layout.ellipsis)
        let head = Line(badge + [.gap(Spacing.md), Span(name, .emphasised)])
        let facts = facts(row, layout)
        return [head.cut(to: layout.inner, layout)]
            + (facts.isEmpty ? [] : [Line(facts, .caption).indented(Spacing.base)])
    }

    /// Returns the facts that fit into a line, in the order of the columns. Texts that can be truncated fill
    /// the remaining space.
    private func facts(_ row: Row, _ layout: Layout) -> String {
        let space = layout.inner - Spacing.base
        let byRank = columns.indices.dropFirst(2).filter { !row.cells[$0].isEmpty }.sorted { a, b in
            let (one, two) = (columns[a], columns[b])
            return (one.dropOrder, one.cellsMin == nil ? 0 : 1, a) < (
                two.dropOrder, two.cellsMin == nil ? 0 : 1, b
            )
        }
        var texts: [Int: String] = [:]
        var left = space
        for column in byRank {
            let gap = texts.isEmpty ? 0 : Cells.width(layout.dot)
            let whole = [columns[column].lead, row.cells[column], columns[column].unit].compactMap(\.self)
                .joined(separator: " ")
            guard min(Cells.width(whole), columns[column].cellsMin ?? .max) <= left - gap else { continue }
            let text = Cells.cutMiddle(whole, to: left - gap, layout.ellipsis)
            texts[column] = text
            left -= gap + Cells.width(text)
        }
        return texts.sorted { $0.key < $1.key }.map(\.value).joined(separator: layout.dot)
    }
}
