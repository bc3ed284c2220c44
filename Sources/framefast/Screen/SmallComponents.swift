/// Facts with their names, one a line.
struct InfoRowView {
    let rows: [(label: String, value: String)]

    func lines(_ layout: Layout) -> [Line] {
        let cells = rows.map { Cells.width($0.label) }.max() ?? 0
        return rows.flatMap { row -> [Line] in
            let label = Span(Cells.padded(row.label, cells) + "  ", .dim)
            let values = Cells.wrap(TerminalText.escaped(row.value), to: layout.inner - cells - 2)
            return values.enumerated().map { index, text in
                index == 0 ? Line([label, Span(text)]) : Line(text).indented(cells + 2)
            }
        }
    }

    func plain() -> [String] {
        rows.map { "\($0.label.lowercased()): \(TerminalText.escaped($0.value))" }
    }
}

/// Something that is going on. The spinner stands in the gutter: the text does not move.
struct BusyView {
    static let framesUnicode = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
    static let framesASCII = ["|", "/", "-", "\\"]

    let text: String
    /// Which picture of the spinner; the components do not know the time.
    let frame: Int

    func lines(_ layout: Layout) -> [Line] {
        let frames = layout.hasUnicode ? Self.framesUnicode : Self.framesASCII
        let spinner = Span(frames[frame % frames.count], .tone(.busy))
        return Cells.wrap(TerminalText.escaped(text), to: layout.inner - 2).enumerated().map { index, text in
            index == 0 ? Line([spinner, Span(" "), Span(text)]) : Line(text).indented(2)
        }
    }
}

/// A line of text that is being typed.
struct InputView {
    let text: String
    /// Shown while there is no text: something that would be accepted.
    let example: String
    /// Why the text was not taken; `nil` when it was not sent yet.
    let complaint: String?

    func lines(_ layout: Layout) -> [Line] {
        let space = layout.inner - 4
        // The end of a long text is where one types.
        var shown = TerminalText.escaped(text)
        while Cells.width(shown) > space { shown.removeFirst() }
        var lines = [
            Line([
                Span(layout.pointer + " ", .accent), Span(shown, .strong), Span("_", .accent),
                Span(text.isEmpty ? " " + Cells.cut(example, to: space - 2, layout.ellipsis) : "", .dim),
            ])
        ]
        if let complaint { lines += GuidanceView(.danger, complaint).lines(layout) }
        return lines
    }
}

/// What the keys do, at most a line.
struct KeyHintsView {
    let hints: [(key: String, meaning: String)]

    func line(_ layout: Layout) -> Line {
        var spans: [Span] = []
        for (index, hint) in hints.enumerated() {
            let gap = index == 0 ? [] : [Span("   ")]
            let next = gap + [Span(hint.key, .strong), Span(" " + hint.meaning, .dim)]
            guard Line(spans + next).width <= layout.inner else { break }
            spans += next
        }
        return Line(spans)
    }
}
