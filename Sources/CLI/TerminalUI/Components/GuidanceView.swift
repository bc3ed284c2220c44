/// A problem or goal, followed by steps for a person.
public struct GuidanceView: Component, Equatable {
    /// The severity.
    public let tone: Tone
    /// The problem or the goal, as a sentence.
    public let sentence: String
    /// The steps, in order. The view numbers them.
    public let steps: [String]

    /// Creates a view of guidance.
    public init(_ tone: Tone, _ sentence: String, steps: [String] = []) {
        self.tone = tone
        self.sentence = sentence
        self.steps = steps
    }

    /// Returns the sentence, with the steps below it.
    public func lines(_ layout: Layout) -> [Line] {
        let indent = Line(layout.sign(tone)).width
        return layout.signed(tone, sentence, .emphasised)
            + Self.numbered(steps, to: layout.prose - indent).map { $0.indented(indent) }
    }

    /// Returns numbered steps.
    ///
    /// - Parameter width: The width of a line, in cells.
    public static func numbered(_ steps: [String], to width: Int) -> [Line] {
        let cells = String(steps.count).count
        return steps.enumerated().flatMap { index, step in
            let number = Span(Cells.right(String(index + 1), cells) + ".", .caption)
            return Line.hanging([number, .gap(Spacing.xs)], step, to: width)
        }
    }

    /// Returns the sentence, and one line for each step.
    public func plain() -> [String] {
        [TerminalText.escaped(sentence)]
            + steps.enumerated().map { "step \($0 + 1): \(TerminalText.escaped($1))" }
    }
}
