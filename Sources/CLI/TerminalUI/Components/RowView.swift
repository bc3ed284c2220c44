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
    /// The same of the title, where a caption follows.
    public let titleCells: Int
    /// Which picture of the spinner.
    public let frame: Int

    /// A row.
    public init(
        _ badge: BadgeView, title: String, endsMatter: Bool = false, caption: String? = nil,
        captionEndsMatter: Bool = false,
        figure: String? = nil, isFocused: Bool = false, wordCells: Int = 0, titleCells: Int = 0,
        frame: Int = 0
    ) {
        self.titleCells = titleCells
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

    /// A title that is longer does not move the captions of the others.
    static let titleCellsMax = 24
    /// A caption of fewer cells says nothing.
    static let captionCellsMin = 3

    /// The cells that the titles of one list share.
    public static func titleCells(of titles: [String]) -> Int {
        titles.map { Cells.width(TerminalText.escaped($0)) }.filter { $0 <= titleCellsMax }.max() ?? 0
    }

    /// One line where there is space for the caption, else without it.
    public func lines(_ layout: Layout) -> [Line] {
        let width = layout.inner
        let pointer = Cells.padded(isFocused ? layout.pointer : "", Cells.width(layout.pointer))
        let state = badge.spans(layout, frame: frame, width: max(1, wordCells))
        let head = [Span(pointer, .accent), .gap(Spacing.xs)] + state + [.gap(Spacing.md)]
        let tail = figure.map { [.gap(Spacing.md), Span($0)] } ?? []
        let space = width - Line(head).width - Line(tail).width - (tail.isEmpty ? 0 : Spacing.xs)
        let name = TerminalText.escaped(title)
        let caption = TerminalText.escaped(caption ?? "")
        let nameSpace = layout.isWide ? max(Cells.width(name), titleCells) : space
        let captionSpace = space - nameSpace - Spacing.md
        let cutTitle = endsMatter ? Cells.cutMiddle : Cells.cut
        let cutCaption = captionEndsMatter ? Cells.cutMiddle : Cells.cut
        let role: Span.Role = isFocused ? .accent : .primary
        guard captionSpace >= Self.captionCellsMin, !caption.isEmpty else {
            let title = Span(cutTitle(name, max(1, space), layout.ellipsis), role)
            return [Line.spread(head + [title], tail, to: width, layout)]
        }
        let beside = [
            Span(Cells.padded(name, nameSpace), role), .gap(Spacing.md),
            Span(cutCaption(caption, captionSpace, layout.ellipsis), .caption),
        ]
        return [Line.spread(head + beside, tail, to: width, layout)]
    }

    /// One line with everything.
    public func plain() -> [String] {
        let facts = [badge.word, caption, figure].compactMap { $0 }.map(TerminalText.escaped)
        return ["\(TerminalText.escaped(title)): " + facts.joined(separator: ", ")]
    }
}
