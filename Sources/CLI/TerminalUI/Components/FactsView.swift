/// Facts in one line, most important first. Facts that do not fit are omitted.
public struct FactsView: Component, Equatable {
    /// The facts, most important first.
    public let facts: [String]

    /// Creates a view of facts.
    public init(_ facts: [String]) { self.facts = facts }

    /// Returns one line. The first fact is cut if it does not fit.
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

    /// Returns one line for each fact.
    public func plain() -> [String] { facts.map(TerminalText.escaped) }
}
