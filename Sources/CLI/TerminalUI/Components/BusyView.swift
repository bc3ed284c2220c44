/// Something that is going on. The spinner stands in the gutter: the text does not move.
public struct BusyView: Component, Equatable {
    /// What is going on.
    public let text: String
    /// Which picture of the spinner; the components do not know the time.
    public let frame: Int

    /// Something that is going on.
    public init(text: String, frame: Int = 0) {
        self.text = text
        self.frame = frame
    }

    /// Spinner and text.
    public func lines(_ layout: Layout) -> [Line] {
        let spinner = Span(Motion.spinner(frame, hasUnicode: layout.hasUnicode), .tone(.busy))
        return Line.hanging([spinner, .gap(Spacing.xs)], text, to: layout.prose)
    }

    /// The text.
    public func plain() -> [String] { [TerminalText.escaped(text)] }
}
