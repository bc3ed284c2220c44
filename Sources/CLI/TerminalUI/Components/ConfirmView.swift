/// Asks before something that cannot be undone: names the thing, and takes nothing but yes for yes.
public struct ConfirmView: Component, Equatable {
    /// What would be done, and to what, as a question.
    public let question: String
    /// What it means.
    public let consequence: String

    /// A question.
    public init(question: String, consequence: String) {
        self.question = question
        self.consequence = consequence
    }

    /// Question and consequence.
    public func lines(_ layout: Layout) -> [Line] {
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

    /// Question and consequence, and what is taken for an answer.
    public func plain() -> [String] {
        [TerminalText.escaped(question), TerminalText.escaped(consequence), "yes or no, no by default"]
    }

    /// What stands before the answer; the default is the capital letter.
    public func prompt(_ layout: Layout) -> Line {
        Line([Span(layout.pointer, .accent), Span(" Yes or no? "), Span("[y/N]", .dim)])
    }
}
