/// A state: sign, word, colour. A closed list of tones, no free colours.
public struct BadgeView: Component, Equatable {
    /// What the state means.
    public let tone: Tone
    /// Its word.
    public let word: String

    /// A state.
    public init(_ tone: Tone, _ word: String) {
        self.tone = tone
        self.word = word
    }

    /// Its sign and word.
    ///
    /// - Parameters:
    ///   - frame: Which picture of the spinner, for what is going on.
    ///   - width: Cells of the word at least, so that columns stay in place.
    public func spans(_ layout: Layout, frame: Int = 0, width: Int = 0) -> [Span] {
        let sign =
            tone == .busy ? Motion.spinner(frame, hasUnicode: layout.hasUnicode) : layout.text(tone.glyph)
        let cells = layout.hasUnicode ? 1 : 2
        return [
            Span(
                Cells.padded(sign, (width > 0 ? cells : Cells.width(sign)) + Spacing.xs)
                    + Cells.padded(word, width), .tone(tone))
        ]
    }

    /// One line, and more where its words are many.
    public func lines(_ layout: Layout) -> [Line] {
        let whole = Line(spans(layout))
        guard whole.width > layout.prose else { return [whole] }
        let sign = BadgeView(tone, "").spans(layout)
        return Line.hanging(sign, word, .tone(tone), to: layout.prose)
    }

    /// The word.
    public func plain() -> [String] { [TerminalText.escaped(word)] }
}
