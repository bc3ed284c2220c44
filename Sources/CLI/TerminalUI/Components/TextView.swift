/// Lines as they are.
public struct TextView: Component, Equatable {
    private let text: [Line]
    private let words: [String]

    /// Lines, and the same in full words.
    public init(_ lines: [Line], plain: [String]) {
        text = lines
        words = plain
    }

    /// The space between two parts of a page.
    public static let gap = TextView(Array(repeating: .empty, count: Spacing.lgLines), plain: [])

    /// Sentences of one role, wrapped.
    public static func wrapped(_ text: String, _ role: Span.Role = .primary) -> WrappedTextView {
        WrappedTextView(text: text, role: role)
    }

    /// The lines, not wider than the place.
    public func lines(_ layout: Layout) -> [Line] { text.map { $0.cut(to: layout.inner, layout) } }

    /// The words.
    public func plain() -> [String] { words }
}

/// Sentences that are wrapped where they are drawn.
public struct WrappedTextView: Component, Equatable {
    let text: String
    let role: Span.Role

    /// As many lines as it needs.
    public func lines(_ layout: Layout) -> [Line] {
        Cells.wrap(TerminalText.escaped(text), to: layout.prose).map { Line($0, role) }
    }

    /// The text.
    public func plain() -> [String] { [TerminalText.escaped(text)] }
}
