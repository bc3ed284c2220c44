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

    /// Something that needs to be known.
    public init(
        _ tone: Tone, _ word: String, _ sentence: String, nextStep: String? = nil, caption: String? = nil,
        isShort: Bool = false
    ) {
        self.caption = caption
        self.isShort = isShort
        self.tone = tone
        self.word = word
        self.sentence = sentence
        self.nextStep = nextStep
    }

    /// The sentence, and below it what to do.
    public func lines(_ layout: Layout) -> [Line] {
        let badge = layout.badge(tone, word)
        let indent = Line(badge).width + Spacing.md
        // Where the word takes too much of the line, the text begins below it.
        let hang = indent > layout.inner / 3 ? layout.glyph(tone).width + Spacing.xs : indent
        let text = wrap(sentence, to: layout.inner - hang, layout)
        var lines: [Line]
        if hang == indent {
            lines = text.enumerated().map { index, text in
                index == 0
                    ? Line(badge + [Span("  "), Span(text)]) : Line(text).indented(hang)
            }
        } else {
            lines = [Line(badge)] + text.map { Line($0).indented(hang) }
        }
        if let caption, let last = lines.last {
            let beside = Line(last.spans + [Span("  "), Span(caption, .dim)])
            let below = Line(caption, .dim).indented(hang).cut(to: layout.inner, layout)
            if beside.width <= layout.inner { lines[lines.count - 1] = beside } else { lines.append(below) }
        }
        if let nextStep {
            let arrow = layout.text(.arrow) + " "
            let steps = wrap(nextStep, to: layout.inner - hang - Cells.width(arrow), layout)
            lines += steps.enumerated().map { index, text in
                index == 0
                    ? Line([Span(arrow, .accent), Span(text, .strong)]).indented(hang)
                    : Line(text, .strong).indented(hang + Cells.width(arrow))
            }
        }
        return lines
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
