/// What needs to be known above everything else, with the next command.
public struct BannerView: Component, Equatable {
    /// How much it matters.
    public let tone: Tone
    /// The word for that.
    public let word: String
    /// What is the matter.
    public let sentence: String
    /// What to do about it; `nil` when there is nothing to do.
    public let nextStep: String?
    /// What is said beside the sentence, for example since when.
    public let caption: String?
    /// Whether sentence and step get a line each, whatever is cut.
    public let isShort: Bool
    /// Cells of the word at least: banners below each other share them.
    public let wordCells: Int

    /// Something that needs to be known.
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

    /// The sentence, and below it what to do.
    public func lines(_ layout: Layout) -> [Line] {
        let badge = BadgeView(tone, word).spans(layout, width: wordCells)
        let indent = Line(badge).width + Spacing.md
        // Where the word takes too much of the line, the text begins below it.
        let hang = indent > layout.inner / 3 ? Line(layout.sign(tone)).width : indent
        let text = wrap(sentence, to: layout.prose - hang, layout)
        var lines =
            hang == indent
            ? text.enumerated().map { index, text in
                index == 0 ? Line(badge + [.gap(Spacing.md), Span(text)]) : Line(text).indented(hang)
            } : [Line(BadgeView(tone, word).spans(layout, width: 0))] + text.map { Line($0).indented(hang) }
        if let caption, let last = lines.last {
            let beside = Line(last.spans + [.gap(Spacing.md), Span(caption, .caption)])
            let below = Line(caption, .caption).indented(hang).cut(to: layout.inner, layout)
            if beside.width <= layout.inner { lines[lines.count - 1] = beside } else { lines.append(below) }
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

    /// The sentence, and what to do.
    public func plain() -> [String] {
        ["\(word.lowercased()): \(TerminalText.escaped(sentence))"]
            + (nextStep.map { ["next step: \(TerminalText.escaped($0))"] } ?? [])
    }
}
