/// An activity with a spinner. The spinner has a column of fixed width, so the text does not move.
struct BusyView: Component, Equatable {
    let text: String
    /// The frame number of the spinner. Components have no access to the time.
    var frame = 0

    func lines(_ layout: Layout) -> [Line] {
        let spinner = Span(Motion.spinner(frame, hasUnicode: layout.hasUnicode), .tone(.busy))
        return Line.hanging([spinner, .gap(Spacing.xs)], text, to: layout.prose)
    }

    func plain() -> [String] { [TerminalText.escaped(text)] }
}
