import Localization
import TerminalUI

/// What the keys do on the page that is open.
enum WatchHints {
    static func view(_ state: WatchState, _ layout: Layout) -> KeyHintsView {
        let back = KeyHintsView.Hint("Esc", localized("back"), isPrimary: true)
        let commands = { (all: [WatchCommand]) in all.map { $0.hint(state, layout) } }
        // What Enter does is said where something has the focus.
        let details: [WatchCommand] = state.focus == nil ? [] : [.details]
        let hints: [KeyHintsView.Hint] =
            switch state.page {
            case .overview where state.isTyping, .sheet where state.isTyping:
                [
                    .init("Enter", localized("keep"), isPrimary: true),
                    .init("Esc", localized("end"), isPrimary: true),
                ]
                    + commands([.move])
            case .confirm(let view, _):
                [
                    .init("y", localized("yes"), isDestructive: view.tone == .danger),
                    .init("n", localized("no"), isPrimary: true),
                ]
            case .modes:
                [
                    .init(layout.arrows, localized("choose")),
                    .init(
                        "Enter", localized("switch"), isPrimary: true,
                        isOn: WatchCommand.mode.obstacle(state) == nil),
                    .init("Esc", localized("back")),
                ]
            case .settings(let picker):
                [
                    .init(layout.arrows, localized("choose")),
                    .init(
                        "Enter", picker.value == nil ? localized("change") : localized("set"),
                        isPrimary: true,
                        isOn: WatchCommand.adjust.obstacle(state) == nil), .init("Esc", localized("back")),
                ]
            case .help, .details: [back]
            case .live:
                [WatchCommand.shoot.hint(state, layout, isPrimary: true), .init("Esc", localized("back"))]
            case .sheet: [back] + commands([.move] + details + [.search, .filter, .quit])
            case .overview:
                [WatchCommand.shoot, .pause].map { $0.hint(state, layout, isPrimary: true) }
                    + commands(
                        [.help, .quit] + details + [
                            .session, .adjust, .mode, .search, .retry, .forget, .filter, .move, .look,
                        ])
            }
        return KeyHintsView(hints: hints)
    }
}
