/// A box with a title, a state and rows. A card must not contain another card.
public struct CardView: Component {
    /// The level of the card above the page.
    public enum Surface: Sendable {
        /// A card on the page.
        case card
        /// A card above the page, for a question or help.
        case raised
    }

    /// The level of the card above the page.
    public let surface: Surface
    /// The title.
    public let title: String
    /// The state, or `nil` for a card without a state.
    public let badge: BadgeView?
    /// The contents, drawn in the space between the edges.
    public let rows: [any Component]
    /// The tone of the edges and the title, or `nil` for the usual colors, which show the focus. `danger`
    /// marks a question before a removal.
    public let tone: Tone?
    /// Whether the card has the focus.
    public let isFocused: Bool
    /// The frame number of the spinner.
    public let frame: Int

    /// Creates a card.
    public init(
        _ surface: Surface = .card, title: String, badge: BadgeView? = nil, rows: [any Component],
        tone: Tone? = nil, isFocused: Bool = false, frame: Int = 0
    ) {
        self.tone = tone
        self.surface = surface
        self.title = title
        self.badge = badge
        self.rows = rows
        self.isFocused = isFocused
        self.frame = frame
    }

    /// Returns the box. The box has the full width of the layout, without margins.
    public func lines(_ layout: Layout) -> [Line] {
        let edges = Edges(surface)
        let role = edgeRole
        let text = { (glyph: Glyph) in Span(layout.text(glyph), role) }
        let rule = { (cells: Int) in
            Span(String(repeating: layout.text(edges.horizontal), count: max(0, cells)), role)
        }
        let gap = Span.gap(Spacing.xs)
        let left = [text(edges.vertical), gap]
        let right = [gap, text(edges.vertical)]
        let inside = layout.width - Line(left + right).width
        let place = Layout(
            width: inside, height: layout.height, hasUnicode: layout.hasUnicode, hasMargins: false)
        let pointer = isFocused ? [Span(layout.pointer, .accent), gap] : []
        let head = [text(edges.topLeft), rule(1), gap] + pointer
        let state = badge.map { [gap] + $0.spans(layout, frame: frame) + [gap, rule(1)] } ?? []
        let taken = Line(head + [gap] + state + [text(edges.topRight)]).width
        let name = Cells.cutMiddle(
            TerminalText.escaped(title), to: max(1, layout.width - taken - 1), layout.ellipsis)
        let top =
            head + [Span(name, tone.map { .tone($0) } ?? (isFocused ? .accent : .emphasised)), gap]
            + [rule(layout.width - taken - Cells.width(name))] + state + [text(edges.topRight)]
        let body = rows.flatMap { $0.lines(place) }.map { line in
            Line(left + line.cut(to: inside, layout).padded(inside).spans + right)
        }
        let bottom = [text(edges.bottomLeft), rule(layout.width - 2), text(edges.bottomRight)]
        return [Line(top)] + body + [Line(bottom)]
    }

    private var edgeRole: Span.Role { tone.map { .tone($0) } ?? (isFocused ? .accent : .caption) }

    /// Returns title and state, then the rows.
    public func plain() -> [String] {
        let name = TerminalText.escaped(title)
        return [badge.map { "\(name): \($0.word)" } ?? name] + rows.flatMap { $0.plain() }
    }

    /// The glyphs of the edges.
    private struct Edges {
        let topLeft, topRight, bottomLeft, bottomRight, horizontal, vertical: Glyph

        init(_ surface: Surface) {
            let isRaised = surface == .raised
            topLeft = isRaised ? .raisedTopLeft : .topLeft
            topRight = isRaised ? .raisedTopRight : .topRight
            bottomLeft = isRaised ? .raisedBottomLeft : .bottomLeft
            bottomRight = isRaised ? .raisedBottomRight : .bottomRight
            horizontal = isRaised ? .raisedHorizontal : .horizontal
            vertical = isRaised ? .raisedVertical : .vertical
        }
    }
}
