/// A line of text that is being typed.
public struct InputView: Component, Equatable {
    /// What was typed.
    public let text: String
    /// Shown while there is no text: something that would be accepted.
    public let example: String
    /// Why the text was not taken; `nil` when it was not sent yet.
    public let complaint: String?

    /// A text that is being typed.
    public init(text: String, example: String, complaint: String? = nil) {
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
                Span(layout.pointer + " ", .accent), Span(shown, .strong), Span("_", .accent),
                Span(text.isEmpty ? " " + Cells.cut(example, to: space - 2, layout.ellipsis) : "", .dim),
            ])
        ]
        if let complaint { lines += GuidanceView(.danger, complaint).lines(layout) }
        return lines
    }

    /// What would be accepted, and what is wrong with what was typed.
    public func plain() -> [String] {
        ["for example: \(example)"] + (complaint.map { [TerminalText.escaped($0)] } ?? [])
    }
}
