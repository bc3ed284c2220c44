/// Any component in one of the states that every component has.
public struct StateView: Component {
    /// What a component can be in.
    public enum State: Sendable, Equatable {
        /// As it is.
        case normal
        /// The keys go to it.
        case focused
        /// It cannot be used, and why.
        case disabled(String)
        /// It is being fetched.
        case loading(String)
        /// Nothing is in it.
        case empty(EmptyView)
        /// The service is away: what is shown was true before. With the reason, where nothing else on the screen
        /// says it.
        case offline(String?)
        /// It could not be fetched: why, and what to do.
        case error(String, nextStep: String?)

        /// The word for it.
        public var word: String {
            switch self {
            case .normal: "default"
            case .focused: "focused"
            case .disabled: "disabled"
            case .loading: "loading"
            case .empty: "empty"
            case .offline: "offline"
            case .error: "error"
            }
        }
    }

    /// What is shown.
    public let content: any Component
    /// The state it is in.
    public let state: State
    /// Which picture of the spinner.
    public let frame: Int

    /// A component in a state.
    public init(_ content: any Component, _ state: State, frame: Int = 0) {
        self.content = content
        self.state = state
        self.frame = frame
    }

    /// The component as its state shows it.
    public func lines(_ layout: Layout) -> [Line] {
        switch state {
        case .normal: return content.lines(layout)
        case .focused:
            let pointer = [Span(layout.pointer, .accent), .gap(Spacing.xs)]
            let indent = Line(pointer).width
            return content.lines(layout.with(width: layout.width - indent)).enumerated().map { index, line in
                index == 0 ? Line(pointer + line.spans) : line.indented(indent)
            }
        case .disabled(let reason): return dimmed(layout, reason)
        case .loading(let text): return BusyView(text: text, frame: frame).lines(layout)
        case .empty(let view): return view.lines(layout)
        case .offline(let reason): return dimmed(layout, reason)
        case .error(let sentence, let nextStep):
            return GuidanceView(.danger, sentence, steps: nextStep.map { [$0] } ?? []).lines(layout)
        }
    }

    /// The component in full words, with its state where it matters.
    public func plain() -> [String] {
        switch state {
        case .normal, .focused: content.plain()
        case .disabled(let reason): content.plain() + ["not available: \(TerminalText.escaped(reason))"]
        case .loading(let text): [TerminalText.escaped(text)]
        case .empty(let view): view.plain()
        case .offline: content.plain().map { "last known: " + $0 }
        case .error(let sentence, let nextStep):
            GuidanceView(.danger, sentence, steps: nextStep.map { [$0] } ?? []).plain()
        }
    }

    /// The content weaker, and below it why: colour alone would not say it.
    private func dimmed(_ layout: Layout, _ reason: String?) -> [Line] {
        content.lines(layout).map { Line($0.spans.map { Span($0.text, .caption) }) }
            + Cells.wrap(TerminalText.escaped(reason ?? ""), to: layout.prose - Spacing.base).map {
                Line($0, .tertiary).indented(Spacing.base)
            }
    }
}
