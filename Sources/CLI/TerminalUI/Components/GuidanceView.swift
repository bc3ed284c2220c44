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
        return layout.signed(tone, sentence, .emphasised)
            + Self.numbered(steps, to: layout.prose - indent).map { $0.indented(indent) }
    }

    /// Numbered steps, one below the other.
    ///
    /// - Parameter width: The cells of a line.
    public static func numbered(_ steps: [String], to width: Int) -> [Line] {
        let cells = String(steps.count).count
        return steps.enumerated().flatMap { index, step in
            let number = Span(Cells.right(String(index + 1), cells) + ".", .caption)
            return Line.hanging([number, .gap(Spacing.xs)], step, to: width)
        }
    }

    /// The sentence, and a line a step.
    public func plain() -> [String] {
        [TerminalText.escaped(sentence)]
            + steps.enumerated().map { "step \($0 + 1): \(TerminalText.escaped($1))" }
    }
}
