/// A notice: a severity, a sentence and the next step.
public struct BannerView: Component, Equatable {
    /// The severity.
    public let tone: Tone
    /// The word for the severity.
    public let word: String
    /// The problem, as a sentence.
    public let sentence: String
    /// The next step, or `nil` if there is nothing to do.
    public let nextStep: String?
    /// A note next to the sentence, for example the time since the problem began.
    public let caption: String?
    /// Whether the sentence and the step each take one line. Longer text is truncated.
    public let isShort: Bool
    /// The minimum width of the word, in cells, which aligns several banners.
    public let wordCells: Int

    /// Creates a banner.
    public init(
        _ tone: Tone, _ word: String, _ sentence: String, nextStep: String? = nil, caption: String? = nil,
        isShort: Bool = false, wordCells: Int = 0
    ) {
        self.wordCells = wordCells
        self.caption = caption
        self.isShort = isShort
        self.tone = tone
        self.word = word
        self.sentence = sentence
        self.nextStep = nextStep
    }

    /// Returns the sentence, with the next step below it.
    public func lines(_ layout: Layout) -> [Line] {
        let badge = BadgeView(tone, word).spans(layout, width: wordCells)
        let indent = Line(badge).width + Spacing.md
        // If the word fills too much of the line, the text begins below the word.
        let hang = indent > layout.inner / 3 ? Line(layout.sign(tone)).width : indent
        let text = wrap(sentence, to: layout.prose - hang, layout)
        var lines =
            hang == indent
            ? text.enumerated().map { index, text in
                index == 0 ? Line(badge + [.gap(Spacing.md), Span(text)]) : Line(text).indented(hang)
            } : [Line(BadgeView(tone, word).spans(layout, width: 0))] + text.map { Line($0).indented(hang) }
        if let caption, let last = lines.last {
            let sameLine = Line(last.spans + [.gap(Spacing.md), Span(caption, .caption)])
            let below = Line(caption, .caption).indented(hang).cut(to: layout.inner, layout)
            if sameLine.width <= layout.inner {
                lines[lines.count - 1] = sameLine
            } else {
                lines.append(below)
            }
        }
        guard let nextStep else { return lines }
        let arrow = [Span(layout.text(.arrow), .accent), Span.gap(Spacing.xs)]
        let space = layout.prose - hang
        let step = isShort ? Cells.cut(nextStep, to: space - Line(arrow).width, layout.ellipsis) : nextStep
        return lines + Line.hanging(arrow, step, .emphasised, to: space).map { $0.indented(hang) }
    }

    private func wrap(_ text: String, to width: Int, _ layout: Layout) -> [String] {
        let text = TerminalText.escaped(text)
        return isShort ? [Cells.cut(text, to: width, layout.ellipsis)] : Cells.wrap(text, to: width)
    }

    /// Returns the sentence and the next step.
    public func plain() -> [String] {
        ["\(word.lowercased()): \(TerminalText.escaped(sentence))"]
            + (nextStep.map { ["next step: \(TerminalText.escaped($0))"] } ?? [])
    }
}
