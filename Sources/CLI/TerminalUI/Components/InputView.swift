/// A text field of one line.
public struct InputView: Component, Equatable {
    /// The typed text.
    public let text: String
    /// A valid example, shown while the text is empty.
    public let example: String
    /// The reason why the text was rejected, or `nil` if it was not rejected.
    public let errorMessage: String?
    /// The symbol before the text, or `nil` for the focus pointer.
    public let sign: String?
    /// Whether the field receives keys.
    public let isTyping: Bool

    /// Creates a text field.
    public init(
        text: String, example: String, errorMessage: String? = nil, sign: String? = nil, isTyping: Bool = true
    ) {
        self.sign = sign
        self.isTyping = isTyping
        self.text = text
        self.example = example
        self.errorMessage = errorMessage
    }

    /// Returns the text with its cursor, and the error.
    public func lines(_ layout: Layout) -> [Line] {
        let head = [
            Span(sign ?? layout.pointer, isTyping ? .accent : .caption), .gap(Spacing.xs),
        ]
        let cursor = Span(isTyping ? "_" : "", .accent)
        let space = layout.inner - Line(head + [cursor]).width
        // Show the end of a long text, where the cursor is.
        var shown = TerminalText.escaped(text)
        while Cells.width(shown) > space { shown.removeFirst() }
        let ghost = text.isEmpty ? [.gap(Spacing.xs), Span(example, .caption)] : []
        let input = Line(head + [Span(shown, isTyping ? .emphasised : .primary), cursor] + ghost)
        let why = errorMessage.map { GuidanceView(.danger, $0).lines(layout) } ?? []
        return [input.cut(to: layout.inner, layout)] + why + accepted(layout)
    }

    /// Returns the example below an error, unless the error contains the example.
    private func accepted(_ layout: Layout) -> [Line] {
        guard let errorMessage, !text.isEmpty, !errorMessage.contains(example) else { return [] }
        return Cells.wrap("For example: " + example, to: layout.prose - Spacing.base).map {
            Line($0, .caption).indented(Spacing.base)
        }
    }

    /// Returns the example, the text and the error.
    public func plain() -> [String] {
        ["for example: \(example)"] + (text.isEmpty ? [] : ["typed: \(TerminalText.escaped(text))"])
            + (errorMessage.map { [TerminalText.escaped($0)] } ?? [])
    }
}
