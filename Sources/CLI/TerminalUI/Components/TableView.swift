/// Rows with their states, statistics right-aligned; where the table does not fit, each row as a few lines.
public struct TableView: Component {
    /// One column. The first is the state, the second the name unless it is a figure.
    public struct Column: Sendable {
        /// What stands above it.
        public var heading: String
        /// Whether it is right-aligned.
        public var isFigure: Bool
        /// What a figure is called where there are no headings, for example `failed`.
        public var unit: String?
        /// The same before the figure, for example `number`.
        public var lead: String?
        /// Cells down to which its texts may lose their middles; `nil` where they are shown whole or not at all.
        public var cellsMin: Int?
        /// Where there is little space, the column with the highest number is left out first; 0 never is.
        public var givesWay: Int

        /// A column.
        public init(
            heading: String, isFigure: Bool = false, unit: String? = nil, lead: String? = nil,
            cellsMin: Int? = nil, givesWay: Int = 0
        ) {
            self.heading = heading
            self.isFigure = isFigure
            self.unit = unit
            self.lead = lead
            self.cellsMin = cellsMin
            self.givesWay = givesWay
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
    /// No text is cut to less than this while a column could give way.
    static let comfortCells = 24

    /// The columns.
    public let columns: [Column]
    /// The rows.
    public let rows: [Row]

    /// A table.
    public init(columns: [Column], rows: [Row]) {
        self.columns = columns
        self.rows = rows
    }

    /// The table, never wider than the place: long texts lose their middles, columns give way, short texts lose
    /// their middles too, and where that is not enough each row is a few lines.
    public func lines(_ layout: Layout) -> [Line] {
        var shown = columns.indices.filter { column in
            column < 2 || rows.contains { !$0.cells[column].isEmpty }
        }
        while true {
            let next = firstToGiveWay(of: shown)
            if let widths = widths(of: shown, cutTo: next == nil ? 0 : Self.comfortCells, layout) {
                return table(shown, widths, layout)
            }
            guard let next else { return rows.flatMap { stacked($0, layout) } }
            shown.removeAll { $0 == next }
        }
    }

    /// A row a line, each fact with its name.
    public func plain() -> [String] {
        rows.map { row in
            let facts = columns.indices.dropFirst(2).filter { !row.cells[$0].isEmpty }.map { column in
                (columns[column].unit ?? columns[column].heading.lowercased()) + " " + row.cells[column]
            }
            return "\(row.cells[1]): " + ([row.cells[0]] + facts).joined(separator: ", ")
        }
    }

    // MARK: What fits

    private func firstToGiveWay(of shown: [Int]) -> Int? {
        shown.filter { columns[$0].givesWay > 0 }.max { columns[$0].givesWay < columns[$1].givesWay }
    }

    /// Cells of the columns; the longest that can be cut is cut first.
    ///
    /// - Parameter least: No text is cut to less.
    /// - Returns: By column; `nil` when they do not fit.
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

    /// Whether a column says what a row is about.
    private func isName(_ column: Int) -> Bool { column == 1 && !columns[column].isFigure }

    /// Cells of sign and gap.
    private func gutter(_ layout: Layout) -> Int { Line(layout.sign(.neutral)).width }

    // MARK: Drawing

    /// A line a row.
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

    /// State and name, and below them the facts: for terminals that are too narrow for a table.
    private func stacked(_ row: Row, _ layout: Layout) -> [Line] {
        let badge = layout.badge(row.tone, row.cells[0])
        let space = layout.inner - Line(badge).width - Spacing.md
        let name = Cells.cutMiddle(row.cells[1], to: max(1, space), layout.ellipsis)
        let head = Line(badge + [.gap(Spacing.md), Span(name, .emphasised)])
        let facts = facts(row, layout)
        return [head.cut(to: layout.inner, layout)]
            + (facts.isEmpty ? [] : [Line(facts, .caption).indented(Spacing.base)])
    }

    /// As many as fit a line, in the order of the columns; what can be cut takes what the others leave.
    private func facts(_ row: Row, _ layout: Layout) -> String {
        let space = layout.inner - Spacing.base
        let byRank = columns.indices.dropFirst(2).filter { !row.cells[$0].isEmpty }.sorted { a, b in
            let (one, two) = (columns[a], columns[b])
            return (one.givesWay, one.cellsMin == nil ? 0 : 1, a) < (
                two.givesWay, two.cellsMin == nil ? 0 : 1, b
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
