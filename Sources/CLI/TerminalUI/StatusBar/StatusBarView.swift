/// Everything at a glance in one line: for status bars, and the head of a screen.
public struct StatusBarView: Component, Equatable {
    /// What it is about: the camera, or how many.
    public var title: String
    /// Its state.
    public var badge: BadgeView
    /// What else matters, most important first.
    public var facts: [String]
    /// Everything else, a fact a line: for bars that show more on request.
    public var details: [String]
    /// How much is done, 0...100; `nil` when nothing is to be done.
    public var percentage: Int?
    /// The line as a person wants it; `nil` for title, state and facts.
    public var custom: String?

    /// A line.
    public init(
        title: String, badge: BadgeView, facts: [String] = [], details: [String] = [], percentage: Int? = nil,
        custom: String? = nil
    ) {
        self.title = title
        self.badge = badge
        self.facts = facts
        self.details = details
        self.percentage = percentage
        self.custom = custom
    }

    /// State, title and facts, not wider than the place; facts that do not fit are left out.
    public func lines(_ layout: Layout) -> [Line] {
        if let custom { return [Line(custom).cut(to: layout.inner, layout)] }
        let head = badge.spans(layout) + [Span("  "), Span(title, .strong)]
        var line = Line(head)
        for fact in facts {
            let next = Line(line.spans + [Span(layout.dot, .dim), Span(fact)])
            guard next.width <= layout.inner else { break }
            line = next
        }
        return [line.cut(to: layout.inner, layout)]
    }

    /// One sentence of full words.
    public func plain() -> [String] {
        if let custom { return [TerminalText.escaped(custom)] }
        let words = (["\(title): \(badge.word.lowercased())"] + facts).joined(separator: ", ")
        return [TerminalText.escaped(words)]
    }
}
