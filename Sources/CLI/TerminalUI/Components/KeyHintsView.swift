/// What the keys do, at most a line.
public struct KeyHintsView: Component, Equatable {
    /// One key.
    public struct Hint: Equatable, Sendable {
        /// What is pressed.
        public var key: String
        /// What it does, in a word.
        public var meaning: String
        /// Whether it is what one came for.
        public var isPrimary: Bool
        /// Whether it removes something: it looks so.
        public var isDestructive: Bool
        /// Whether it can do anything now.
        public var isOn: Bool

        /// A key.
        public init(
            _ key: String, _ meaning: String, isPrimary: Bool = false, isDestructive: Bool = false,
            isOn: Bool = true
        ) {
            self.isDestructive = isDestructive
            self.key = key
            self.meaning = meaning
            self.isPrimary = isPrimary
            self.isOn = isOn
        }
    }

    /// Keys that stand out on one screen: where all do, none does.
    public static let primaryMax = 2

    /// Keys, what matters most first.
    public let hints: [Hint]

    /// Keys.
    public init(hints: [Hint]) {
        self.hints = hints
    }

    /// As many as there is space for; what can do nothing stands in brackets, for those who see no colours.
    public func line(_ layout: Layout) -> Line {
        let primary = hints.indices.filter { hints[$0].isPrimary && hints[$0].isOn }.prefix(Self.primaryMax)
        var spans: [Span] = []
        for (index, hint) in hints.enumerated() {
            let gap = index == 0 ? [] : [Span.gap(Spacing.lg)]
            let role: Span.Role =
                hint.isDestructive ? .tone(.danger) : primary.contains(index) ? .emphasised : .primary
            let next: [Span] =
                hint.isOn
                ? [Span(hint.key, role), .gap(Spacing.xs), Span(hint.meaning, .caption)]
                : [Span("(\(hint.key) \(hint.meaning))", .caption)]
            guard Line(spans + gap + next).width <= layout.inner else { break }
            spans += gap + next
        }
        return Line(spans)
    }

    /// One line.
    public func lines(_ layout: Layout) -> [Line] { [line(layout)] }

    /// A key a line.
    public func plain() -> [String] {
        hints.map { "key \($0.key): \($0.meaning)" + ($0.isOn ? "" : ", not now") }
    }
}
