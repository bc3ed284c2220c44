/// A question before an action that cannot be undone. The question names the object of the action. Only an
/// explicit yes confirms.
public struct ConfirmView: Component, Equatable {
    /// The severity: danger for an action that removes something.
    public let tone: Tone
    /// The action and its object, as a question.
    public let question: String
    /// The consequence.
    public let consequence: String

    /// Creates a question.
    public init(_ tone: Tone, question: String, consequence: String) {
        self.tone = tone
        self.question = question
        self.consequence = consequence
    }

    /// Returns the question and the consequence.
    public func lines(_ layout: Layout) -> [Line] {
        let indent = Line(layout.sign(tone)).width
        return layout.signed(tone, question, .emphasised)
            + Cells.wrap(TerminalText.escaped(consequence), to: layout.prose - indent).map {
                Line($0, .caption).indented(indent)
            }
    }

    /// Returns the question, the consequence and the accepted answers.
    public func plain() -> [String] {
        [TerminalText.escaped(question), TerminalText.escaped(consequence), "yes or no, no by default"]
    }

    /// Returns the prompt for the answer. The capital letter is the default.
    public func prompt(_ layout: Layout) -> Line {
        Line([
            Span(layout.pointer, .accent), .gap(Spacing.xs), Span("Yes or no?"), .gap(Spacing.xs),
            TypeRole.label.span("y/N"),
        ])
    }
}
