/// Asks before something that cannot be undone: names the thing, and takes nothing but yes for yes.
struct ConfirmView {
    /// What would be done, and to what, as a question.
    let question: String
    /// What it means.
    let consequence: String

    func lines(_ layout: Layout) -> [Line] {
        let glyph = layout.glyph(.warning)
        let indent = glyph.width + 1
        let question = Cells.wrap(TerminalText.escaped(question), to: layout.width - indent)
        return question.enumerated().map { index, text in
            index == 0
                ? Line([glyph, Span(" "), Span(text, .strong)]) : Line(text, .strong).indented(indent)
        }
            + Cells.wrap(TerminalText.escaped(consequence), to: layout.width - indent).map {
                Line($0, .dim).indented(indent)
            }
    }

    /// What stands before the answer; the default is the capital letter.
    func prompt(_ layout: Layout) -> Line {
        Line([Span(layout.pointer, .accent), Span(" Yes or no? "), Span("[y/N]", .dim)])
    }
}
