/// A component in one of the states that all components share.
public struct StateView: Component {
    /// The state of a component.
    public enum State: Sendable, Equatable {
        /// The component is ready.
        case normal
        /// The component has the focus.
        case focused
        /// The component cannot be used. The value is the reason.
        case disabled(String)
        /// The content is being fetched. The value names the activity.
        case loading(String)
        /// There is no content.
        case empty(EmptyView)
        /// The service is unreachable, and the content is out of date. The reason is `nil` if the screen
        /// shows the reason elsewhere.
        case offline(String?)
        /// The content could not be fetched. The values are the reason and the next step.
        case error(String, nextStep: String?)
    }

    /// The component.
    public let content: any Component
    /// The state of the component.
    public let state: State
    /// The frame number of the spinner.
    public let frame: Int

    /// Creates a component in a state.
    public init(_ content: any Component, _ state: State, frame: Int = 0) {
        self.content = content
        self.state = state
        self.frame = frame
    }

    /// Returns the lines of the component for its state.
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

    /// Returns the component as plain text, with the state if it is disabled or offline. In the states
    /// `loading`, `empty` and `error`, returns only the text of the state.
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

    /// Returns the dimmed content, with the reason below it. The reason is visible even without colors.
    private func dimmed(_ layout: Layout, _ reason: String?) -> [Line] {
        content.lines(layout).map { Line($0.spans.map { Span($0.text, .caption) }) }
            + Cells.wrap(TerminalText.escaped(reason ?? ""), to: layout.prose - Spacing.base).map {
                Line($0, .tertiary).indented(Spacing.base)
            }
    }
}
