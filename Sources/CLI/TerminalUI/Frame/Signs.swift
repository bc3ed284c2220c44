/// The symbols of tones as parts of a line.
extension Layout {
    /// Returns the tone's symbol, or its ASCII form. The result is padded to the widest symbol to align
    /// columns.
    public func glyph(_ tone: Tone) -> Span {
        Span(Cells.padded(text(tone.glyph), hasUnicode ? 1 : 2), .tone(tone))
    }

    /// Returns the tone's symbol and the space before its text.
    public func sign(_ tone: Tone) -> [Span] { [glyph(tone), .gap(Spacing.xs)] }

    /// Returns a wrapped text after the tone's symbol.
    public func signed(_ tone: Tone, _ text: String, _ role: Span.Role = .primary) -> [Line] {
        Line.hanging(sign(tone), text, role, to: prose)
    }
}
