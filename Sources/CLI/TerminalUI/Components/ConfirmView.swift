import Localization

/// Asks before something that cannot be undone: names the thing, and only yes means yes.
public struct ConfirmView: Component, Equatable {
    /// How much is at stake: danger for what removes something.
    public let tone: Tone
    /// What would be done, and to what, as a question.
    public let question: String
    /// What it means.
    public let consequence: String

    /// A question.
    public init(_ tone: Tone, question: String, consequence: String) {
        self.tone = tone
        self.question = question
        self.consequence = consequence
    }

    /// Question and consequence.
    public func lines(_ layout: Layout) -> [Line] {
        let indent = Line(layout.sign(tone)).width
        return layout.signed(tone, question, .emphasised)
            + Cells.wrap(TerminalText.escaped(consequence), to: layout.prose - indent).map {
                Line($0, .caption).indented(indent)
            }
    }

    /// Question and consequence, and what is taken for an answer.
    public func plain() -> [String] {
        [TerminalText.escaped(question), TerminalText.escaped(consequence), "yes or no, no by default"]
    }

    /// What stands before the answer; the default is the capital letter.
    public func prompt(_ layout: Layout) -> Line {
        Line([
            Span(layout.pointer, .accent), .gap(Spacing.xs), Span(localized("Yes or no?")), .gap(Spacing.xs),
            TypeRole.label.span(localized("y/N")),
        ])
    }
}
