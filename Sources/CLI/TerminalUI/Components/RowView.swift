/// One item in a line: a symbol and a word for the state, a title, a caption and a figure.
public struct RowView: Component, Equatable {
    /// The state.
    public let badge: BadgeView
    /// The title.
    public let title: String
    /// Whether a long title is truncated in the middle, because its end is significant, as in file names.
    public let truncatesTitleInMiddle: Bool
    /// Whether a long caption is truncated in the middle, because its end is significant.
    public let truncatesCaptionInMiddle: Bool
    /// A description after the title.
    public let caption: String?
    /// A figure at the end of the line.
    public let figure: String?
    /// Whether the row has the focus.
    public let isFocused: Bool
    /// The minimum width of the state's word, in cells, which aligns the rows of a list.
    public let wordCells: Int
    /// The minimum width of the title, in cells, which aligns the captions of a list.
    public let titleCells: Int
    /// The frame number of the spinner.
    public let frame: Int

    /// Creates a row.
    public init(
        _ badge: BadgeView, title: String, truncatesTitleInMiddle: Bool = false, caption: String? = nil,
        truncatesCaptionInMiddle: Bool = false,
        figure: String? = nil, isFocused: Bool = false, wordCells: Int = 0, titleCells: Int = 0,
        frame: Int = 0
    ) {
        self.titleCells = titleCells
        self.badge = badge
        self.title = title
        self.truncatesTitleInMiddle = truncatesTitleInMiddle
        self.truncatesCaptionInMiddle = truncatesCaptionInMiddle
        self.caption = caption
        self.figure = figure
        self.isFocused = isFocused
        self.wordCells = wordCells
        self.frame = frame
    }

    /// The maximum width of a title that affects the alignment of captions, in cells.
    static let titleCellsMax = 24
    /// The minimum width of a caption, in cells. Without this space, the caption is omitted.
    static let captionCellsMin = 3

    /// Returns the title width that aligns the captions after these titles, in cells.
    public static func titleCells(of titles: [String]) -> Int {
        titles.map { Cells.width(TerminalText.escaped($0)) }.filter { $0 <= titleCellsMax }.max() ?? 0
    }

    /// Returns one line, with the caption if there is space for it.
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
        let cutTitle = truncatesTitleInMiddle ? Cells.cutMiddle : Cells.cut
        let cutCaption = truncatesCaptionInMiddle ? Cells.cutMiddle : Cells.cut
        let role: Span.Role = isFocused ? .accent : .primary
        guard captionSpace >= Self.captionCellsMin, !caption.isEmpty else {
            let title = Span(cutTitle(name, max(1, space), layout.ellipsis), role)
            return [Line.spread(head + [title], tail, to: width, layout)]
        }
        let sameLine = [
            Span(Cells.padded(name, nameSpace), role), .gap(Spacing.md),
            Span(cutCaption(caption, captionSpace, layout.ellipsis), .caption),
        ]
        return [Line.spread(head + sameLine, tail, to: width, layout)]
    }

    /// Returns one line with all facts.
    public func plain() -> [String] {
        let facts = [badge.word, caption, figure].compactMap { $0 }.map(TerminalText.escaped)
        return ["\(TerminalText.escaped(title)): " + facts.joined(separator: ", ")]
    }
}
