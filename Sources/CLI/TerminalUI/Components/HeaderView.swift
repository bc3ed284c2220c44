/// The header of a page, with its title and state.
public struct HeaderView: Component, Equatable {
    /// The title.
    public let title: String
    /// The state.
    public let badge: BadgeView

    /// Creates the header of a page.
    public init(_ title: String, _ badge: BadgeView) {
        self.title = title
        self.badge = badge
    }

    /// Returns one line. If the line is too long, the title is truncated first.
    public func lines(_ layout: Layout) -> [Line] {
        let state = badge.spans(layout)
        let gap = Span.gap(Spacing.md)
        let space = max(1, layout.inner - Line([gap] + state).width)
        let name = Cells.cut(TerminalText.escaped(title), to: space, layout.ellipsis)
        return [Line([Span(name, .pageTitle), gap] + state).cut(to: layout.inner, layout)]
    }

    /// Returns title and state.
    public func plain() -> [String] {
        ["\(TerminalText.escaped(title)): \(TerminalText.escaped(badge.word))"]
    }
}
