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
        let indent = Line(layout.sign(tone)).width
        let cells = String(steps.count).count
        return layout.signed(tone, sentence, .emphasised)
            + steps.enumerated().flatMap { index, step in
                let number = Span(Cells.right(String(index + 1), cells) + ".", .caption)
                return Line.hanging([number, .gap(Spacing.xs)], step, to: layout.prose - indent)
            }.map { $0.indented(indent) }
    }

    /// The sentence, and a line a step.
    public func plain() -> [String] {
        [TerminalText.escaped(sentence)]
            + steps.enumerated().map { "step \($0 + 1): \(TerminalText.escaped($1))" }
    }
}
