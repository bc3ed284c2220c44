/// The overall state in one line, for status bars and the head of a screen.
public struct StatusBarView: Component, Equatable {
    /// The title: the name of the camera, or the number of cameras.
    public var title: String
    /// The state.
    public var badge: BadgeView
    /// A problem in a few words, or `nil` if no problem is more severe than the state of the cameras. Status
    /// bars show the problem instead of the title.
    public var headline: String?
    /// Further facts, most important first.
    public var facts: [String]
    /// All details, one fact per line, for bars that show more on request.
    public var details: [String]
    /// The progress in percent, 0...100, or `nil` if there is nothing to do.
    public var percentage: Int?
    /// A line in the user's custom format, or `nil` for the standard line of title, state and facts.
    public var custom: String?

    /// Creates a status line.
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

    /// Returns the custom line, or the state, the headline or title, and the facts that fit the width of the
    /// layout.
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

    /// Returns one line of plain text.
    public func plain() -> [String] { plain(width: .max) }

    /// Returns one line of plain text. Omits the facts that do not fit the width. Does not shorten a custom
    /// line.
    func plain(width: Int) -> [String] {
        if let custom { return [TerminalText.escaped(custom)] }
        let word = badge.word.lowercased()
        let head = headline.map { "\(word): \($0)" } ?? "\(title): \(word)"
        return [
            Self.fitted(head, facts, separator: ", ", width: width).map(TerminalText.escaped).joined(
                separator: ", ")
        ]
    }

    /// Returns the head and the facts that fit after it, in order. A head that does not fit is cut.
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
