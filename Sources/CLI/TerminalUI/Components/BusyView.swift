/// An activity with a spinner. The spinner has a column of fixed width, so the text does not move.
public struct BusyView: Component, Equatable {
    /// The activity.
    public let text: String
    /// The frame number of the spinner. Components have no access to the time.
    public let frame: Int

    /// Creates a view of an activity.
    public init(text: String, frame: Int = 0) {
        self.text = text
        self.frame = frame
    }

    /// Returns the spinner and the text.
    public func lines(_ layout: Layout) -> [Line] {
        let spinner = Span(Motion.spinner(frame, hasUnicode: layout.hasUnicode), .tone(.busy))
        return Line.hanging([spinner, .gap(Spacing.xs)], text, to: layout.prose)
    }

    /// Returns the text.
    public func plain() -> [String] { [TerminalText.escaped(text)] }
}
