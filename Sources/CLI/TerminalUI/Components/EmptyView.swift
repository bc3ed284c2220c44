/// A placeholder for missing content, with the command that adds content.
public struct EmptyView: Component, Equatable {
    /// The missing content, as a sentence.
    public let sentence: String
    /// The next step, as a sentence, or `nil` if the content appears automatically.
    public let nextStep: String?

    /// Creates a placeholder.
    public init(_ sentence: String, nextStep: String? = nil) {
        self.sentence = sentence
        self.nextStep = nextStep
    }

    /// Returns the symbol and the sentence, followed by the dimmed next step on the same line or below.
    public func lines(_ layout: Layout) -> [Line] {
        let sign = layout.sign(.neutral)
        guard let nextStep else { return layout.signed(.neutral, sentence) }
        let whole = Line(sign + [Span(sentence), .gap(Spacing.md), Span(nextStep, .caption)])
        guard whole.width > layout.prose else { return [whole] }
        let indent = Line(sign).width
        return layout.signed(.neutral, sentence)
            + Cells.wrap(TerminalText.escaped(nextStep), to: layout.prose - indent).map {
                Line($0, .caption).indented(indent)
            }
    }

    /// Returns the sentence and the next step.
    public func plain() -> [String] {
        [TerminalText.escaped(sentence)] + (nextStep.map { [TerminalText.escaped($0)] } ?? [])
    }
}
