/// A symbol and a word for a state, in the color of the state's tone.
public struct BadgeView: Component, Equatable {
    /// The meaning of the state.
    public let tone: Tone
    /// The word for the state.
    public let word: String

    /// Creates a badge.
    public init(_ tone: Tone, _ word: String) {
        self.tone = tone
        self.word = word
    }

    /// Returns the symbol and the word.
    ///
    /// - Parameters:
    ///   - frame: The frame number of the spinner, for a busy state.
    ///   - width: The minimum width of the word, in cells, which aligns the columns of a list.
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

    /// Returns one line with the symbol and the word.
    public func lines(_ layout: Layout) -> [Line] { [Line(spans(layout))] }

    /// Returns the word.
    public func plain() -> [String] { [TerminalText.escaped(word)] }
}

extension Layout {
    /// Returns the symbol and the word of a state.
    public func badge(_ tone: Tone, _ word: String) -> [Span] { BadgeView(tone, word).spans(self) }
}
