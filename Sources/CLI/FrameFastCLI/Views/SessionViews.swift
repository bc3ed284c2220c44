import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// What became of one session.
struct SessionView: Presentation {
    let session: SessionReply
    let verb: String
    let json: Data

    func human(_ style: Style) -> [String] {
        [
            style.badge(.success, "Session \(verb)") + ": "
                + ([TerminalText.escaped(session.name), Formatted.shots(session.shots)]
                + (session.keep.map { ["kept \(StorageView.keep($0))"] } ?? []))
                .joined(separator: style.dot)
        ]
    }

    func plain() -> [String] {
        ["session \(verb): \(TerminalText.escaped(session.name))"]
            + (session.keep.map { ["kept here: \(TerminalText.escaped($0))"] } ?? [])
    }
}

/// All sessions.
struct SessionsView: Presentation {
    let sessions: [SessionReply]
    let json: Data

    func human(_ style: Style) -> [String] {
        guard !sessions.isEmpty else {
            return [style.dim("No sessions. Start one with `framefast session start NAME`.")]
        }
        let nameWidth = sessions.map { TerminalText.escaped($0.name).count }.max() ?? 0
        return sessions.map { session in
            let isRunning = session.endedAt == nil
            return [
                style.badge(isRunning ? .busy : .neutral, isRunning ? "Running" : "Ended", width: 7),
                style.padded(TerminalText.escaped(session.name), nameWidth),
                "since " + Formatted.time(session.startedAt),
                Formatted.shots(session.shots) + style.dot + Formatted.size(session.bytes),
            ].joined(separator: "  ")
        }
    }

    func plain() -> [String] {
        guard !sessions.isEmpty else { return ["sessions: none"] }
        return sessions.map { session in
            let state = session.endedAt == nil ? "running" : "ended"
            return
                "session \(session.id): \(TerminalText.escaped(session.name)), \(state), \(session.shots) shots"
        }
    }
}
