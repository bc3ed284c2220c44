/// What the keys do, at most a line.
public struct KeyHintsView: Component {
    /// Keys, what matters most first.
    public let hints: [(key: String, meaning: String)]

    /// Keys.
    public init(hints: [(key: String, meaning: String)]) {
        self.hints = hints
    }

    /// As many as there is space for.
    public func line(_ layout: Layout) -> Line {
        var spans: [Span] = []
        for (index, hint) in hints.enumerated() {
            let gap = index == 0 ? [] : [Span("   ")]
            let next = gap + [Span(hint.key, .strong), Span(" " + hint.meaning, .dim)]
            guard Line(spans + next).width <= layout.inner else { break }
            spans += next
        }
        return Line(spans)
    }

    /// One line.
    public func lines(_ layout: Layout) -> [Line] { [line(layout)] }

    /// A key a line.
    public func plain() -> [String] { hints.map { "key \($0.key): \($0.meaning)" } }
}
