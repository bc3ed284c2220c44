/// Where nothing is yet: what would be here, and the command that fills it.
public struct EmptyView: Component, Equatable {
    /// What is not there, as a sentence.
    public let sentence: String
    /// What to do, as a sentence; `nil` when it fills itself.
    public let nextStep: String?

    /// Nothing.
    public init(_ sentence: String, nextStep: String? = nil) {
        self.sentence = sentence
        self.nextStep = nextStep
    }

    /// Sentence and command, dim.
    public func lines(_ layout: Layout) -> [Line] {
        let text = nextStep.map { sentence + " " + $0 } ?? sentence
        return Cells.wrap(TerminalText.escaped(text), to: layout.inner - 2).map {
            Line($0, .dim).indented(2)
        }
    }

    /// Sentence and command.
    public func plain() -> [String] {
        [TerminalText.escaped(sentence)] + (nextStep.map { [TerminalText.escaped($0)] } ?? [])
    }
}
