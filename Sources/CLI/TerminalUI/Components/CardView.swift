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
    /// Whether it has the focus.
    public let isFocused: Bool
    /// Which picture of the spinner.
    public let frame: Int

    /// A card.
    public init(
        _ surface: Surface = .card, title: String, badge: BadgeView? = nil, rows: [any Component],
        isFocused: Bool = false, frame: Int = 0
    ) {
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
        let role: Span.Role = isFocused ? .accent : .dim
        let text = { (glyph: Glyph) in Span(layout.text(glyph), role) }
        let inside = layout.width - 4
        let place = Layout(
            width: inside, height: layout.height, hasUnicode: layout.hasUnicode, hasMargins: false)
        let state = badge.map { $0.spans(layout, frame: frame) } ?? []
        let stateCells = state.isEmpty ? 0 : Line(state).width + 3
        let pointer = isFocused ? layout.pointer + " " : ""
        let name = Cells.cutMiddle(
            TerminalText.escaped(title), to: max(1, layout.width - stateCells - 6 - Cells.width(pointer)),
            layout.ellipsis)
        let rule = layout.width - 5 - Cells.width(pointer + name) - stateCells
        var top = [text(edges.topLeft), text(edges.horizontal), Span(" ")]
        top += [Span(pointer, .accent), Span(name, isFocused ? .accent : .strong), Span(" ")]
        top.append(Span(String(repeating: layout.text(edges.horizontal), count: max(0, rule)), role))
        if !state.isEmpty { top += [Span(" ")] + state + [Span(" "), text(edges.horizontal)] }
        top.append(text(edges.topRight))
        let body = rows.flatMap { $0.lines(place) }.map { line in
            Line(
                [text(edges.vertical), Span(" ")] + line.cut(to: inside, layout).padded(inside).spans + [
                    Span(" "), text(edges.vertical),
                ])
        }
        let bottom = Line([
            text(edges.bottomLeft),
            Span(String(repeating: layout.text(edges.horizontal), count: max(0, layout.width - 2)), role),
            text(edges.bottomRight),
        ])
        return [Line(top)] + body + [bottom]
    }

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
