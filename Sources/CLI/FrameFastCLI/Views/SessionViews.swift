import FoundationEssentials
import FrameFastAPI
import Localization
import TerminalUI

/// What became of one session.
struct SessionView: Presentation {
    let session: SessionReply
    let change: Change
    let json: Data

    /// What was done to it.
    enum Change: String {
        case started, stopped, changed

        var words: String {
            switch self {
            case .started: localized("Session started")
            case .stopped: localized("Session stopped")
            case .changed: localized("Session changed")
            }
        }
    }

    func human(_ style: Style) -> [String] {
        let layout = style.page
        let badge = layout.badge(.success, change.words) + [.gap(Spacing.md)]
        let facts = FactsView(
            [session.name, Formatted.shots(session.shots)]
                + (session.keep.map { [localized("kept \(StorageView.keep($0))")] } ?? []))
        let rest = facts.lines(layout.with(width: max(1, layout.width - Line(badge).width)))
        return [style.encode(Line(badge + (rest.first?.spans ?? [])))] + applied.flatMap { $0.human(style) }
    }

    /// What became of a preset, camera by camera.
    private var applied: [SettingResultsView] {
        (session.applied ?? []).map {
            SettingResultsView(results: $0.results, cameraName: $0.camera.name, json: Data())
        }
    }

    func plain() -> [String] {
        ["session \(change.rawValue): \(TerminalText.escaped(session.name))"]
            + (session.keep.map { ["kept here: \(TerminalText.escaped($0))"] } ?? [])
            + applied.flatMap { $0.plain() }
    }
}

/// All sessions.
struct SessionsView: Presentation {
    let sessions: [SessionReply]
    let json: Data

    private static var columns: [TableView.Column] {
        [
            .init(heading: localized("State")), .init(heading: localized("Name")),
            .init(heading: localized("Shots"), isFigure: true, unit: localized("shots")),
            .init(heading: localized("Size"), isFigure: true),
            .init(heading: localized("Since"), lead: localized("since")),
            .init(heading: localized("Until"), lead: localized("until"), givesWay: 4),
            .init(heading: localized("Uploads"), givesWay: 3),
            .init(heading: localized("Kept"), lead: localized("kept"), givesWay: 2),
            .init(heading: localized("Number"), isFigure: true, lead: localized("number"), givesWay: 1),
        ]
    }

    func human(_ style: Style) -> [String] {
        let layout = style.page
        guard !sessions.isEmpty else {
            return EmptyView(
                localized("No sessions."),
                nextStep: localized("Start one with `framefast session start NAME`.")
            )
            .lines(layout).map(style.encode)
        }
        let rows = sessions.map { session in
            let isRunning = session.endedAt == nil
            return TableView.Row(
                isRunning ? .success : .neutral,
                [
                    isRunning ? localized("Running") : localized("Ended"), session.name,
                    Formatted.count(session.shots),
                    Formatted.size(session.bytes), Formatted.time(session.startedAt),
                    session.endedAt.map(Formatted.time) ?? "", UploadWords.mode(session.uploadMode),
                    session.keep.map(StorageView.keep) ?? "", session.id.description,
                ])
        }
        return TableView(columns: Self.columns, rows: rows).lines(layout).map(style.encode)
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
