import TerminalUI

/// The key hints of the open page.
enum WatchHints {
    static func view(_ state: WatchState, _ layout: Layout) -> KeyHintsView {
        let back = KeyHintsView.Hint("Esc", "back", isPrimary: true)
        let commands = { (all: [WatchCommand]) in all.map { $0.hint(state, layout) } }
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
                        isOn: WatchCommand.mode.unavailableReason(in: state) == nil),
                    .init("Esc", "back"),
                ]
            case .settings(let picker):
                [
                    .init(layout.arrows, "choose"),
                    .init(
                        "Enter", picker.value == nil ? "change" : "set", isPrimary: true,
                        isOn: WatchCommand.adjust.unavailableReason(in: state) == nil), .init("Esc", "back"),
                ]
            case .live:
                [WatchCommand.shoot.hint(state, layout, isPrimary: true), .init("Esc", "back")]
            case .help, .details: [back]
            case .session: [back] + commands([.move] + details + [.search, .filter, .quit])
            case .overview:
                [WatchCommand.shoot, .pause].map { $0.hint(state, layout, isPrimary: true) }
                    + commands(
                        [.help, .quit] + details + [
                            .session, .adjust, .mode, .search, .retry, .forget, .filter, .move, .liveView,
                        ])
            }
        return KeyHintsView(hints: hints)
    }
}
