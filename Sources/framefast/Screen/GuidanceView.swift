import FrameFastAPI

/// What a person should do: what is the matter, and the steps in order. One view for all of them.
struct GuidanceView {
    let tone: Tone
    let guidance: GuidanceReply

    init(_ tone: Tone, _ guidance: GuidanceReply) {
        self.tone = tone
        self.guidance = guidance
    }

    init(_ tone: Tone, _ sentence: String, steps: [String] = []) {
        self.init(tone, GuidanceReply(sentence: sentence, steps: steps))
    }

    func lines(_ layout: Layout) -> [Line] {
        let glyph = layout.glyph(tone)
        let indent = glyph.width + 1
        var lines = Cells.wrap(TerminalText.escaped(guidance.sentence), to: layout.inner - indent)
            .enumerated().map { index, text in
                index == 0
                    ? Line([glyph, Span(" "), Span(text, .strong)]) : Line(text, .strong).indented(indent)
            }
        lines += Self.numbered(guidance.steps, layout).map { $0.indented(indent) }
        return lines
    }

    func plain() -> [String] {
        [TerminalText.escaped(guidance.sentence)]
            + guidance.steps.enumerated().map { "step \($0 + 1): \(TerminalText.escaped($1))" }
    }

    /// Steps with their numbers, what is wrapped under its own text.
    private static func numbered(_ steps: [String], _ layout: Layout) -> [Line] {
        let cells = String(steps.count).count
        return steps.enumerated().flatMap { index, step -> [Line] in
            let number = String(index + 1)
            let head = String(repeating: " ", count: cells - number.count) + number + ". "
            let width = layout.inner - 3 - head.count
            return Cells.wrap(TerminalText.escaped(step), to: width).enumerated().map { row, text in
                row == 0 ? Line([Span(head, .dim), Span(text)]) : Line(text).indented(head.count)
            }
        }
    }
}
