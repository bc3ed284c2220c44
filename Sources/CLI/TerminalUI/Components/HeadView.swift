/// What a whole page is about, and its state.
public struct HeadView: Component, Equatable {
    /// What it is about.
    public let title: String
    /// Its state.
    public let badge: BadgeView

    /// A head.
    public init(_ title: String, _ badge: BadgeView) {
        self.title = title
        self.badge = badge
    }

    /// One line; the title is cut before the state is.
    public func lines(_ layout: Layout) -> [Line] {
        let state = badge.spans(layout)
        let gap = Span.gap(Spacing.md)
        let space = max(1, layout.inner - Line([gap] + state).width)
        let name = Cells.cut(TerminalText.escaped(title), to: space, layout.ellipsis)
        return [Line([Span(name, .pageTitle), gap] + state).cut(to: layout.inner, layout)]
    }

    /// Title and state.
    public func plain() -> [String] {
        ["\(TerminalText.escaped(title)): \(TerminalText.escaped(badge.word))"]
    }
}
