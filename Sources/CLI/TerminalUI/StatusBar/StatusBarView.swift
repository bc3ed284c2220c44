/// Everything at a glance in one line: for status bars, and the head of a screen.
public struct StatusBarView: Component, Equatable {
    /// What it is about: the camera's name, or how many there are.
    public var title: String
    /// Its state.
    public var badge: BadgeView
    /// What is the matter, short: stands for title and state where it is worse than the state.
    public var headline: String?
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
        title: String, badge: BadgeView, headline: String? = nil, facts: [String] = [],
        details: [String] = [], percentage: Int? = nil, custom: String? = nil
    ) {
        self.title = title
        self.badge = badge
        self.headline = headline
        self.facts = facts
        self.details = details
        self.percentage = percentage
        self.custom = custom
    }

    /// State, title and facts, not wider than the place; facts that do not fit are left out.
    public func lines(_ layout: Layout) -> [Line] {
        if let custom { return [Line(custom).cut(to: layout.inner, layout)] }
        let head = badge.spans(layout) + [.gap(Spacing.md), Span(headline ?? title, .emphasised)]
        var line = Line(head)
        for fact in facts {
            let next = Line(line.spans + [Span(layout.dot, .caption), Span(fact)])
            guard next.width <= layout.inner else { break }
            line = next
        }
        return [line.cut(to: layout.inner, layout)]
    }

    /// One line of full words.
    public func plain() -> [String] { plain(width: .max) }

    /// One line of full words, in so many cells: what is least important is left out.
    func plain(width: Int) -> [String] {
        if let custom { return [TerminalText.escaped(custom)] }
        let word = badge.word.lowercased()
        let head = headline.map { "\(word): \($0)" } ?? "\(title): \(word)"
        return [
            Self.fitted(head, facts, separator: ", ", width: width).map(TerminalText.escaped).joined(
                separator: ", ")
        ]
    }

    /// The head and as many facts as fit behind it, in order; a head that does not fit is cut.
    static func fitted(_ head: String, _ facts: [String], separator: String, width: Int) -> [String] {
        var parts = [Cells.cut(head, to: width, "…")]
        var left = width - Cells.width(parts[0])
        for fact in facts {
            left -= Cells.width(separator) + Cells.width(fact)
            guard left >= 0 else { break }
            parts.append(fact)
        }
        return parts
    }
}
