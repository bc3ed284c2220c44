/// Facts in one line, what matters most first; those that do not fit are left out.
public struct FactsView: Component, Equatable {
    /// The facts.
    public let facts: [String]

    /// Facts.
    public init(_ facts: [String]) { self.facts = facts }

    /// One line; the first fact is cut rather than left out.
    public func lines(_ layout: Layout) -> [Line] {
        var line = Line()
        for fact in facts {
            let gap = line.spans.isEmpty ? [] : [Span(layout.dot, .caption)]
            let next = Line(line.spans + gap + [Span(fact)])
            guard next.width <= layout.inner || line.spans.isEmpty else { break }
            line = next
        }
        return [line.cut(to: layout.inner, layout)]
    }

    /// A fact a line.
    public func plain() -> [String] { facts.map(TerminalText.escaped) }
}
