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
        let sign = layout.glyph(.neutral)
        let indent = sign.width + Spacing.xs
        let space = layout.inner - indent
        let head = Line([sign, Span(" "), Span(sentence)])
        let whole = Line(head.spans + (nextStep.map { [Span("  "), Span($0, .dim)] } ?? []))
        guard whole.width > layout.inner else { return [whole] }
        let sentences = Cells.wrap(TerminalText.escaped(sentence), to: space)
        let steps = Cells.wrap(TerminalText.escaped(nextStep ?? ""), to: space)
        return [Line([sign, Span(" "), Span(sentences.first ?? "")])]
            + sentences.dropFirst().map { Line($0).indented(indent) }
            + steps.map { Line($0, .dim).indented(indent) }
    }

    /// Sentence and command.
    public func plain() -> [String] {
        [TerminalText.escaped(sentence)] + (nextStep.map { [TerminalText.escaped($0)] } ?? [])
    }
}
