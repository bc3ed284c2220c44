/// One thing with its facts in a box. Never a box in a box: its rows are lines.
public struct CardView: Component {
    /// Where the card stands.
    public enum Surface: Sendable {
        /// Among others.
        case card
        /// Above everything: a question, help.
        case raised
    }

    /// Where the card stands.
    public let surface: Surface
    /// What it is about.
    public let title: String
    /// Its state; `nil` for none.
    public let badge: BadgeView?
    /// What is in it; drawn with ``Layout/inner`` of the card.
    public let rows: [any Component]
    /// What it means, where that matters more than the focus: danger for a question before something is removed.
    public let tone: Tone?
    /// Whether it has the focus.
    public let isFocused: Bool
    /// Which picture of the spinner.
    public let frame: Int

    /// A card.
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

    /// The box, as wide as the place without margins.
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

    /// Title and state, then the facts.
    public func plain() -> [String] {
        let name = TerminalText.escaped(title)
        return [badge.map { "\(name): \($0.word)" } ?? name] + rows.flatMap { $0.plain() }
    }

    /// The lines of a box.
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
