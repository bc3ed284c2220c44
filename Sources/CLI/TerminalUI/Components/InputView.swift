import Localization

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
        let head = [
            Span(sign ?? layout.pointer, isTyping ? .accent : .caption), .gap(Spacing.xs),
        ]
        let cursor = Span(isTyping ? "_" : "", .accent)
        let space = layout.inner - Line(head + [cursor]).width
        // The end of a long text is where one types.
        var shown = TerminalText.escaped(text)
        while Cells.width(shown) > space { shown.removeFirst() }
        let ghost = text.isEmpty ? [.gap(Spacing.xs), Span(example, .caption)] : []
        let input = Line(head + [Span(shown, isTyping ? .emphasised : .primary), cursor] + ghost)
        let why = complaint.map { GuidanceView(.danger, $0).lines(layout) } ?? []
        return [input.cut(to: layout.inner, layout)] + why + accepted(layout)
    }

    /// What would be accepted, where the complaint does not say it.
    private func accepted(_ layout: Layout) -> [Line] {
        guard let complaint, !text.isEmpty, !complaint.contains(example) else { return [] }
        return Cells.wrap(localized("For example: \(example)"), to: layout.prose - Spacing.base).map {
            Line($0, .caption).indented(Spacing.base)
        }
    }

    /// What would be accepted, and what is wrong with what was typed.
    public func plain() -> [String] {
        ["for example: \(example)"] + (text.isEmpty ? [] : ["typed: \(TerminalText.escaped(text))"])
            + (complaint.map { [TerminalText.escaped($0)] } ?? [])
    }
}
