/// Things to choose one of.
public struct ChoiceListView: Component, Equatable {
    /// One of them.
    public struct Row: Equatable, Sendable {
        /// What it is called.
        public var title: String
        /// One line about it.
        public var caption: String?
        /// A word that sets it apart, for example `Plugged in`.
        public var mark: String?

        /// A choice.
        public init(title: String, caption: String? = nil, mark: String? = nil) {
            self.title = title
            self.caption = caption
            self.mark = mark
        }
    }

    /// Up to this many rows have their captions under their titles.
    public static let roomyRowsMax = 4

    /// The choices.
    public let rows: [Row]
    /// The row with the focus; `nil` when none has it.
    public let cursor: Int?

    /// Choices.
    public init(rows: [Row], cursor: Int?) {
        self.rows = rows
        self.cursor = cursor
    }

    /// A line or two a choice; where they do not fit, those around the focus.
    public func lines(_ layout: Layout) -> [Line] {
        rows.count <= Self.roomyRowsMax ? roomy(layout) : dense(layout)
    }

    /// A numbered line a choice.
    public func plain() -> [String] {
        rows.enumerated().map { index, row in
            var line = "\(index + 1). \(TerminalText.escaped(row.title))"
            if let mark = row.mark { line += " (\(TerminalText.escaped(mark).lowercased()))" }
            if let caption = row.caption { line += ": \(TerminalText.escaped(caption))" }
            return line
        }
    }

    /// Title and caption on lines of their own.
    private func roomy(_ layout: Layout) -> [Line] {
        rows.indices.flatMap { index -> [Line] in
            let head = Line(head(index, layout))
            let mark = mark(rows[index], layout)
            let whole = Line(head.spans + mark)
            // A mark that does not fit behind its title stands below it.
            var lines =
                whole.width <= layout.inner
                ? [whole]
                : [
                    head.cut(to: layout.inner, layout),
                    Line(Array(mark.dropFirst())).indented(numberCells + 3),
                ]
            if let caption = rows[index].caption {
                let indent = numberCells + 3
                lines += Cells.wrap(caption, to: layout.inner - indent)
                    .map { Line($0, .dim).indented(indent) }
            }
            return index == 0 ? lines : [.empty] + lines
        }
    }

    /// A line a row; as many as there is space for, around the focus.
    private func dense(_ layout: Layout) -> [Line] {
        let caption = layout.isWide ? [] : focusCaption(layout)
        let space = max(3, layout.height - caption.count)
        let window = self.window(space)
        var lines = window.map { index -> Line in
            var spans = head(index, layout)
            if layout.isWide, let caption = rows[index].caption {
                spans.append(Span(String(repeating: " ", count: titleCells - rows[index].titleCells + 2)))
                spans.append(Span(caption, .dim))
            }
            let mark = self.mark(rows[index], layout)
            let markCells = mark.reduce(0) { $0 + $1.width }
            return Line(Line(spans).cut(to: layout.inner - markCells, layout).spans + mark)
        }
        if window.lowerBound > 0 {
            lines[0] = more(window.lowerBound + 1, "above", layout.up, layout)
        }
        if window.upperBound < rows.count {
            lines[lines.count - 1] = more(rows.count - window.upperBound + 1, "below", layout.down, layout)
        }
        return lines + caption
    }

    private func more(_ count: Int, _ place: String, _ arrow: String, _ layout: Layout) -> Line {
        Line("\(arrow) \(count) more \(place)", .dim).indented(numberCells + 3)
    }

    /// Rows that are shown: the focus is never on a line that says `more`.
    private func window(_ space: Int) -> Range<Int> {
        guard rows.count > space else { return 0..<rows.count }
        let start = min(max(0, (cursor ?? 0) - space / 2), rows.count - space)
        return start..<(start + space)
    }

    private func focusCaption(_ layout: Layout) -> [Line] {
        guard rows.contains(where: { $0.caption != nil }) else { return [] }
        let text = cursor.flatMap { rows[$0].caption } ?? ""
        let wrapped = Cells.wrap(text, to: layout.inner).prefix(2).map { Line($0, .dim) }
        return [.empty] + wrapped + Array(repeating: .empty, count: 2 - wrapped.count)
    }

    private func head(_ index: Int, _ layout: Layout) -> [Span] {
        let padded = Cells.right(String(index + 1), numberCells)
        let isFocused = index == cursor
        return [
            Span(isFocused ? layout.pointer + " " : "  ", .accent), Span(padded + " ", .dim),
            Span(rows[index].title, isFocused ? .accent : .plain),
        ]
    }

    private func mark(_ row: Row, _ layout: Layout) -> [Span] {
        row.mark.map { [Span("  ")] + layout.badge(.info, $0) } ?? []
    }

    private var numberCells: Int { String(rows.count).count }
    private var titleCells: Int { rows.map(\.titleCells).max() ?? 0 }
}

extension ChoiceListView.Row {
    fileprivate var titleCells: Int { Cells.width(TerminalText.escaped(title)) }
}
