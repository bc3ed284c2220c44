/// One thing in a line: sign, title, caption, figure, and the word for its state.
public struct RowView: Component, Equatable {
    /// Its state.
    public let badge: BadgeView
    /// What it is called.
    public let title: String
    /// Whether the end of the title tells most, as in names of files: then its middle goes first.
    public let endsMatter: Bool
    /// The same for the caption.
    public let captionEndsMatter: Bool
    /// What is said beside it.
    public let caption: String?
    /// A figure at the end of the line.
    public let figure: String?
    /// Whether it has the focus.
    public let isFocused: Bool
    /// Cells of the state's word at least: rows of one list share them.
    public let wordCells: Int
    /// Which picture of the spinner.
    public let frame: Int

    /// A row.
    public init(
        _ badge: BadgeView, title: String, endsMatter: Bool = false, caption: String? = nil,
        captionEndsMatter: Bool = false,
        figure: String? = nil, isFocused: Bool = false, wordCells: Int = 0, frame: Int = 0
    ) {
        self.badge = badge
        self.title = title
        self.endsMatter = endsMatter
        self.captionEndsMatter = captionEndsMatter
        self.caption = caption
        self.figure = figure
        self.isFocused = isFocused
        self.wordCells = wordCells
        self.frame = frame
    }

    /// One line where there is space for the caption, else without it.
    public func lines(_ layout: Layout) -> [Line] {
        let width = layout.inner
        let gutter = Span(isFocused ? layout.pointer + " " : "  ", .accent)
        let state = badge.spans(layout, frame: frame, width: max(1, wordCells))
        let head = [gutter] + state + [Span("  ")]
        let tail = figure.map { [Span("  "), Span($0)] } ?? []
        let space = width - Line(head).width - Line(tail).width - (tail.isEmpty ? 0 : Spacing.xs)
        let name = TerminalText.escaped(title)
        let caption = caption.map { "  " + TerminalText.escaped($0) } ?? ""
        let captionCells = layout.isWide ? min(Cells.width(caption), max(0, space - Cells.width(name))) : 0
        let nameCells = max(1, space - captionCells)
        let cutTitle = endsMatter ? Cells.cutMiddle : Cells.cut
        let cutCaption = captionEndsMatter ? Cells.cutMiddle : Cells.cut
        var spans = head + [Span(cutTitle(name, nameCells, layout.ellipsis), isFocused ? .accent : .plain)]
        if captionCells > 4 {
            spans.append(Span(cutCaption(caption, captionCells, layout.ellipsis), .dim))
        }
        return [Line.spread(spans, tail, to: width, layout)]
    }

    /// One line with everything.
    public func plain() -> [String] {
        let facts = [badge.word, caption, figure].compactMap { $0 }.map(TerminalText.escaped)
        return ["\(TerminalText.escaped(title)): " + facts.joined(separator: ", ")]
    }
}
