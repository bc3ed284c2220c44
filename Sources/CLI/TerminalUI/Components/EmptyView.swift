/// Where nothing is yet: what would be here, and the command that fills it.
public struct EmptyView: Component, Equatable {
    /// What is not there, as a sentence.
    public let sentence: String
    /// What to do, as a sentence; `nil` when it fills itself.
    public let nextStep: String?

    /// Nothing.
    public init(_ sentence: String, nextStep: String? = nil) {
        self.sentence = sentence
        self.nextStep = nextStep
    }

    /// Sign and sentence, and behind or below them what to do, dim.
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

    /// Sentence and command.
    public func plain() -> [String] {
        [TerminalText.escaped(sentence)] + (nextStep.map { [TerminalText.escaped($0)] } ?? [])
    }
}
