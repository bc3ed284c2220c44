import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The confirmation of a change to a session.
struct SessionView: Presentation {
    let session: SessionReply
    let verb: String
    let json: Data

    func lines(_ layout: Layout) -> [Line] {
        let badge = layout.badge(.success, "Session \(verb)") + [.gap(Spacing.md)]
        let facts = FactsView(
            [session.name, Formatted.shots(session.shots)]
                + (session.keep.map { ["kept \(StorageView.keep($0))"] } ?? []))
        let rest = facts.lines(layout.with(width: max(1, layout.width - Line(badge).width)))
        return [Line(badge + (rest.first?.spans ?? []))] + applied.flatMap { $0.lines(layout) }
    }

    /// The results of applying the session's preset, one for each camera.
    private var applied: [SettingResultsView] {
        (session.applied ?? []).map {
            SettingResultsView(results: $0.results, cameraName: $0.camera.name, json: Data())
        }
    }

    func plain() -> [String] {
        ["session \(verb): \(TerminalText.escaped(session.name))"]
            + (session.keep.map { ["kept here: \(TerminalText.escaped($0))"] } ?? [])
            + applied.flatMap { $0.plain() }
    }
}

/// A table of sessions.
struct SessionsView: Presentation {
    let sessions: [SessionReply]
    let json: Data

    private static let columns: [TableView.Column] = [
        .init(heading: "State"), .init(heading: "Name"),
        .init(heading: "Shots", isFigure: true, unit: "shots"), .init(heading: "Size", isFigure: true),
        .init(heading: "Since", lead: "since"), .init(heading: "Until", lead: "until", dropOrder: 4),
        .init(heading: "Uploads", dropOrder: 3), .init(heading: "Kept", lead: "kept", dropOrder: 2),
        .init(heading: "Number", isFigure: true, lead: "number", dropOrder: 1),
    ]

    func lines(_ layout: Layout) -> [Line] {
        guard !sessions.isEmpty else {
            return EmptyView("No sessions.", nextStep: "Start a session with `framefast session start NAME`.")
                .lines(layout)
        }
        let rows = sessions.map { session in
            let isRunning = session.endedAt == nil
            return TableView.Row(
                isRunning ? .success : .neutral,
                [
                    isRunning ? "Running" : "Ended", session.name, Formatted.count(session.shots),
                    Formatted.size(session.bytes), Formatted.time(session.startedAt),
                    session.endedAt.map(Formatted.time) ?? "", UploadWords.mode(session.$uploadMode),
                    session.keep.map(StorageView.keep) ?? "", session.id.description,
                ])
        }
        return TableView(columns: Self.columns, rows: rows).lines(layout)
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
