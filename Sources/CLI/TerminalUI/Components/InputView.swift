/// A line of text that is being typed.
public struct InputView: Component, Equatable {
    /// What was typed.
    public let text: String
    /// Shown while there is no text: something that would be accepted.
    public let example: String
    /// Why the text was not taken; `nil` when it was not sent yet.
    public let complaint: String?
    /// What stands before the text; `nil` for the sign of what has the focus.
    public let sign: String?
    /// Whether keys go to it.
    public let isTyping: Bool

    /// A text that is being typed.
    public init(
        text: String, example: String, complaint: String? = nil, sign: String? = nil, isTyping: Bool = true
    ) {
        self.sign = sign
        self.isTyping = isTyping
        self.text = text
        self.example = example
        self.complaint = complaint
    }

    /// The text with its cursor, and what is wrong with it.
    public func lines(_ layout: Layout) -> [Line] {
        let space = layout.inner - 4
        // The end of a long text is where one types.
        var shown = TerminalText.escaped(text)
        while Cells.width(shown) > space { shown.removeFirst() }
        var lines = [
            Line([
                Span((sign ?? layout.pointer) + " ", isTyping ? .accent : .dim),
                Span(shown, isTyping ? .strong : .plain), Span(isTyping ? "_" : "", .accent),
                Span(text.isEmpty ? " " + Cells.cut(example, to: space - 2, layout.ellipsis) : "", .dim),
            ])
        ]
        if let complaint { lines += GuidanceView(.danger, complaint).lines(layout) }
        return lines
    }

    /// What would be accepted, and what is wrong with what was typed.
    public func plain() -> [String] {
        [text.isEmpty ? "for example: \(example)" : "typed: \(TerminalText.escaped(text))"]
            + (complaint.map { [TerminalText.escaped($0)] } ?? [])
    }
}
