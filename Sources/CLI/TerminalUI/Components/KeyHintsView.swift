/// One line that lists keys and their functions.
public struct KeyHintsView: Component, Equatable {
    /// One key and its function.
    public struct Hint: Equatable, Sendable {
        /// The key.
        public var key: String
        /// The function, in a word.
        public var meaning: String
        /// Whether this is one of the main functions of the screen.
        public var isPrimary: Bool
        /// Whether the function removes something. Destructive keys use the danger color.
        public var isDestructive: Bool
        /// Whether the function is available now.
        public var isOn: Bool

        /// Creates a hint.
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

    /// The maximum number of highlighted keys on one screen.
    public static let primaryMax = 2

    /// The keys, most important first.
    public let hints: [Hint]

    /// Creates a line of hints.
    public init(hints: [Hint]) {
        self.hints = hints
    }

    /// Returns the keys that fit. Unavailable keys are in parentheses, which are visible even without colors.
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

    /// Returns one line.
    public func lines(_ layout: Layout) -> [Line] { [line(layout)] }

    /// Returns one line for each key.
    public func plain() -> [String] {
        hints.map { "key \($0.key): \($0.meaning)" + ($0.isOn ? "" : ", not now") }
    }
}
