/// Lines that are already formatted.
public struct TextView: Component, Equatable {
    private let text: [Line]
    private let words: [String]

    /// Creates a view of lines. `plain` is the text of the lines without formatting.
    public init(_ lines: [Line], plain: [String]) {
        text = lines
        words = plain
    }

    /// The space between two sections of a page.
    public static let gap = TextView(Array(repeating: .empty, count: Spacing.lgLines), plain: [])

    /// Returns a view that wraps a text of one role.
    public static func wrapped(_ text: String, _ role: Span.Role = .primary) -> WrappedTextView {
        WrappedTextView(text: text, role: role)
    }

    /// Returns the lines, cut to the width of the layout.
    public func lines(_ layout: Layout) -> [Line] { text.map { $0.cut(to: layout.inner, layout) } }

    /// Returns the plain text.
    public func plain() -> [String] { words }
}

/// A view that wraps a text to the width of the layout.
public struct WrappedTextView: Component, Equatable {
    let text: String
    let role: Span.Role

    /// Returns the wrapped lines.
    public func lines(_ layout: Layout) -> [Line] {
        Cells.wrap(TerminalText.escaped(text), to: layout.prose).map { Line($0, role) }
    }

    /// Returns the text.
    public func plain() -> [String] { [TerminalText.escaped(text)] }
}
