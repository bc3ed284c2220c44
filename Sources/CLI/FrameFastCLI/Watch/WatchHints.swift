import TerminalUI

/// The key hints of the open page.
enum WatchHints {
    static func view(_ state: WatchState, _ layout: Layout) -> KeyHintsView {
        let back = KeyHintsView.Hint("Esc", "back", isPrimary: true)
        let commands = { (all: [WatchCommand]) in all.map { hint($0, state, layout) } }
        // Enter shows details only if something has the focus.
        let details: [WatchCommand] = state.focus == nil ? [] : [.details]
        let hints: [KeyHintsView.Hint] =
            switch state.page {
            case .overview where state.isTyping, .session where state.isTyping:
                [.init("Enter", "keep", isPrimary: true), .init("Esc", "end", isPrimary: true)]
                    + commands([.move])
            case .confirm(let view, _):
                [
                    .init("y", "yes", isDestructive: view.tone == .danger),
                    .init("n", "no", isPrimary: true),
                ]
            case .modes:
                [
                    .init(layout.arrows, "choose"),
                    .init(
                        "Enter", "switch", isPrimary: true,
                        isOn: state.unavailableReason(for: .mode) == nil),
                    .init("Esc", "back"),
                ]
            case .settings(let picker):
                [
                    .init(layout.arrows, "choose"),
                    .init(
                        "Enter", picker.value == nil ? "change" : "set", isPrimary: true,
                        isOn: state.unavailableReason(for: .adjust) == nil), .init("Esc", "back"),
                ]
            case .live:
                [hint(.shoot, state, layout, isPrimary: true), .init("Esc", "back")]
            case .help, .details: [back]
            case .session: [back] + commands([.move] + details + [.search, .filter, .quit])
            case .overview:
                [WatchCommand.shoot, .pause].map { hint($0, state, layout, isPrimary: true) }
                    + commands(
                        [.help, .quit] + details + [
                            .session, .adjust, .mode, .search, .retry, .forget, .filter, .move, .liveView,
                        ])
            }
        return KeyHintsView(hints: hints)
    }

    /// Returns the key hint of a command.
    private static func hint(
        _ command: WatchCommand, _ state: WatchState, _ layout: Layout, isPrimary: Bool = false
    ) -> KeyHintsView.Hint {
        let (key, word): (String, String) =
            switch command {
            case .move: (layout.arrows, "move")
            case .session: ("d", "session")
            case .adjust: ("e", "settings")
            case .liveView: ("v", "live view")
            case .pause: ("p", state.model.areAllPaused ? "resume" : "pause")
            case .retry: ("r", "retry")
            case .forget: ("x", "drop")
            case .mode: ("m", "mode")
            case .filter: ("f", "filter")
            case .search: ("/", "find")
            case .quit: ("q", "quit")
            default: (command.keys, command.short)
            }
        return .init(
            key, word, isPrimary: isPrimary, isDestructive: command == .forget,
            isOn: state.unavailableReason(for: command) == nil)
    }
}
