/// A list of choices.
public struct ChoiceListView: Component, Equatable {
    /// One choice.
    public struct Row: Equatable, Sendable {
        /// The title.
        public var title: String
        /// A one-line description.
        public var caption: String?
        /// A badge, for example `Plugged in`, or the progress of a test.
        public var mark: BadgeView?

        /// Creates a choice.
        public init(title: String, caption: String? = nil, mark: BadgeView? = nil) {
            self.title = title
            self.caption = caption
            self.mark = mark
        }
    }

    /// The maximum number of rows in a list that shows each caption below its title. A longer list has one
    /// line per row.
    public static let roomyRowsMax = 4
    /// The minimum number of rows in a small terminal: the focused row and one on each side.
    static let rowsMin = 3
    /// The number of lines below a dense list that are reserved for the focused row's caption.
    static let captionLines = 2

    /// The choices, in order.
    public let rows: [Row]
    /// The index of the focused row, or `nil` without focus.
    public let cursor: Int?
    /// The frame number of the spinner, for a choice that is being tested.
    public let frame: Int

    /// Creates a list of choices.
    public init(rows: [Row], cursor: Int?, frame: Int = 0) {
        self.rows = rows
        self.cursor = cursor
        self.frame = frame
    }

    /// Returns one or two lines for each choice. If the lines do not fit, returns the choices around the
    /// focus.
    public func lines(_ layout: Layout) -> [Line] {
        rows.count <= Self.roomyRowsMax ? roomy(layout) : dense(layout)
    }

    /// Returns a numbered line for each choice.
    public func plain() -> [String] {
        rows.enumerated().map { index, row in
            var line = "\(index + 1). \(TerminalText.escaped(row.title))"
            if let mark = row.mark { line += " (\(TerminalText.escaped(mark.word).lowercased()))" }
            if let caption = row.caption { line += ": \(TerminalText.escaped(caption))" }
            return line
        }
    }

    /// Returns title and caption on separate lines.
    private func roomy(_ layout: Layout) -> [Line] {
        let indent = indent(layout)
        return rows.indices.flatMap { index -> [Line] in
            let title = Line.hanging(
                head(index, layout), rows[index].title, title(index).role, to: layout.inner)
            let mark = mark(rows[index], layout)
            let whole = Line((title.last?.spans ?? []) + (mark.isEmpty ? [] : [.gap(Spacing.md)] + mark))
            // A badge that does not fit after its title moves below the title.
            var lines =
                whole.width <= layout.inner
                ? title.dropLast() + [whole] : title + [Line(mark).indented(indent)]
            if let caption = rows[index].caption {
                lines += Cells.wrap(TerminalText.escaped(caption), to: layout.prose - indent)
                    .map { Line($0, .caption).indented(indent) }
            }
            return index == 0 ? lines : [.empty] + lines
        }
    }

    /// Returns one line for each row. Omits rows that do not fit, starting with the rows farthest from the
    /// focus.
    private func dense(_ layout: Layout) -> [Line] {
        let caption = layout.isWide ? [] : focusCaption(layout)
        let space = max(Self.rowsMin, layout.height - caption.count)
        let window = self.window(space)
        var lines = window.map { index -> Line in
            var spans = head(index, layout) + [title(index)]
            if layout.isWide, let caption = rows[index].caption {
                spans.append(.gap(titleCells - rows[index].titleCells + Spacing.md))
                spans.append(Span(caption, .caption))
            }
            let mark = mark(rows[index], layout)
            let tail = mark.isEmpty ? [] : [.gap(Spacing.md)] + mark
            let space = layout.inner - Line(tail).width
            return Line(Line(spans).cut(to: space, layout).spans + tail)
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
        Line("\(arrow) \(count) more \(place)", .caption).indented(indent(layout))
    }

    /// Returns the rows to show. A line with the number of hidden rows replaces the first or last row, but
    /// never the focused row.
    private func window(_ space: Int) -> Range<Int> {
        guard rows.count > space else { return 0..<rows.count }
        let start = min(max(0, (cursor ?? 0) - space / 2), rows.count - space)
        return start..<(start + space)
    }

    private func focusCaption(_ layout: Layout) -> [Line] {
        guard rows.contains(where: { $0.caption != nil }) else { return [] }
        let text = cursor.flatMap { rows[$0].caption } ?? ""
        let wrapped = Cells.wrap(text, to: layout.prose).prefix(Self.captionLines).map { Line($0, .caption) }
        return [.empty] + wrapped + Array(repeating: .empty, count: Self.captionLines - wrapped.count)
    }

    /// Returns the pointer and the number.
    private func head(_ index: Int, _ layout: Layout) -> [Span] {
        let pointer = Cells.padded(index == cursor ? layout.pointer : "", Cells.width(layout.pointer))
        let number = Cells.right(String(index + 1), String(rows.count).count)
        return [
            Span(pointer, .accent), .gap(Spacing.xs), Span(number, .caption), .gap(Spacing.xs),
        ]
    }

    private func title(_ index: Int) -> Span { Span(rows[index].title, index == cursor ? .accent : .primary) }

    /// Returns the cell at which titles begin.
    private func indent(_ layout: Layout) -> Int { Line(head(0, layout)).width }

    private func mark(_ row: Row, _ layout: Layout) -> [Span] { row.mark?.spans(layout, frame: frame) ?? [] }

    private var titleCells: Int { rows.map(\.titleCells).max() ?? 0 }
}

extension ChoiceListView.Row {
    fileprivate var titleCells: Int { Cells.width(TerminalText.escaped(title)) }
}
