import Localization

/// Things to choose one of.
public struct ChoiceListView: Component, Equatable {
    /// One of them.
    public struct Row: Equatable, Sendable {
        /// What it is called.
        public var title: String
        /// One line about it.
        public var caption: String?
        /// What sets it apart, for example `Plugged in`, or that it is being tried.
        public var mark: BadgeView?

        /// A choice.
        public init(title: String, caption: String? = nil, mark: BadgeView? = nil) {
            self.title = title
            self.caption = caption
            self.mark = mark
        }
    }

    /// Up to this many rows have their captions under their titles.
    public static let roomyRowsMax = 4
    /// Rows that are shown however little space there is: the focus, and one at either side.
    static let rowsMin = 3
    /// Lines below a dense list for the caption of the row with the focus.
    static let captionLines = 2

    /// The choices.
    public let rows: [Row]
    /// The row with the focus; `nil` when none has it.
    public let cursor: Int?
    /// Which picture of the spinner, for what is being tried.
    public let frame: Int

    /// Choices.
    public init(rows: [Row], cursor: Int?, frame: Int = 0) {
        self.rows = rows
        self.cursor = cursor
        self.frame = frame
    }

    /// A line or two a choice; where they do not fit, those around the focus.
    public func lines(_ layout: Layout) -> [Line] {
        rows.count <= Self.roomyRowsMax ? roomy(layout) : dense(layout)
    }

    /// A numbered line a choice.
    public func plain() -> [String] {
        rows.enumerated().map { index, row in
            var line = "\(index + 1). \(TerminalText.escaped(row.title))"
            if let mark = row.mark { line += " (\(TerminalText.escaped(mark.word).lowercased()))" }
            if let caption = row.caption { line += ": \(TerminalText.escaped(caption))" }
            return line
        }
    }

    /// Title and caption on lines of their own.
    private func roomy(_ layout: Layout) -> [Line] {
        let indent = indent(layout)
        return rows.indices.flatMap { index -> [Line] in
            let title = Line.hanging(
                head(index, layout), rows[index].title, title(index).role, to: layout.inner)
            let mark = mark(rows[index], layout)
            let whole = Line((title.last?.spans ?? []) + (mark.isEmpty ? [] : [.gap(Spacing.md)] + mark))
            // A mark that does not fit behind its title stands below it.
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

    /// A line a row; as many as there is space for, around the focus.
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
            lines[0] = more(localized("\(layout.up) \(window.lowerBound + 1) more above"), layout)
        }
        if window.upperBound < rows.count {
            lines[lines.count - 1] = more(
                localized("\(layout.down) \(rows.count - window.upperBound + 1) more below"), layout)
        }
        return lines + caption
    }

    private func more(_ text: String, _ layout: Layout) -> Line {
        Line(text, .caption).indented(indent(layout))
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
        let wrapped = Cells.wrap(text, to: layout.prose).prefix(Self.captionLines).map { Line($0, .caption) }
        return [.empty] + wrapped + Array(repeating: .empty, count: Self.captionLines - wrapped.count)
    }

    /// Pointer and number.
    private func head(_ index: Int, _ layout: Layout) -> [Span] {
        let pointer = Cells.padded(index == cursor ? layout.pointer : "", Cells.width(layout.pointer))
        let number = Cells.right(String(index + 1), String(rows.count).count)
        return [
            Span(pointer, .accent), .gap(Spacing.xs), Span(number, .caption), .gap(Spacing.xs),
        ]
    }

    private func title(_ index: Int) -> Span { Span(rows[index].title, index == cursor ? .accent : .primary) }

    /// Where titles begin.
    private func indent(_ layout: Layout) -> Int { Line(head(0, layout)).width }

    private func mark(_ row: Row, _ layout: Layout) -> [Span] { row.mark?.spans(layout, frame: frame) ?? [] }

    private var titleCells: Int { rows.map(\.titleCells).max() ?? 0 }
}

extension ChoiceListView.Row {
    fileprivate var titleCells: Int { Cells.width(TerminalText.escaped(title)) }
}
