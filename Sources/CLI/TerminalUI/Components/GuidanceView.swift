/// What a person should do: what is the matter, and the steps in order. One view for all of them.
public struct GuidanceView: Component, Equatable {
    /// How much it matters.
    public let tone: Tone
    /// What is the matter, or what is to be reached.
    public let sentence: String
    /// What to do, in order; the view numbers them.
    public let steps: [String]

    /// A sentence with steps.
    public init(_ tone: Tone, _ sentence: String, steps: [String] = []) {
        self.tone = tone
        self.sentence = sentence
        self.steps = steps
    }

    /// The sentence, and the steps below it.
    public func lines(_ layout: Layout) -> [Line] {
        let glyph = layout.glyph(tone)
        let indent = glyph.width + 1
        var lines = Cells.wrap(TerminalText.escaped(sentence), to: layout.inner - indent)
            .enumerated().map { index, text in
                index == 0
                    ? Line([glyph, Span(" "), Span(text, .strong)]) : Line(text, .strong).indented(indent)
            }
        lines += Self.numbered(steps, layout).map { $0.indented(indent) }
        return lines
    }

    /// The sentence, and a line a step.
    public func plain() -> [String] {
        [TerminalText.escaped(sentence)]
            + steps.enumerated().map { "step \($0 + 1): \(TerminalText.escaped($1))" }
    }

    /// Steps with their numbers, what is wrapped under its own text.
    private static func numbered(_ steps: [String], _ layout: Layout) -> [Line] {
        let cells = String(steps.count).count
        return steps.enumerated().flatMap { index, step -> [Line] in
            let head = Cells.right(String(index + 1), cells) + ". "
            let width = layout.inner - 3 - head.count
            return Cells.wrap(TerminalText.escaped(step), to: width).enumerated().map { row, text in
                row == 0 ? Line([Span(head, .dim), Span(text)]) : Line(text).indented(head.count)
            }
        }
    }
}
