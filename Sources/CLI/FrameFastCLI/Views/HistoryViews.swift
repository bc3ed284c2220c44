import FoundationEssentials
import FrameFastAPI
import Localization
import TerminalUI

/// Steps as rows: with the photo where there are several.
private struct HistoryTable {
    let steps: [HistoryStepReply]
    var namesPhotos = false

    func lines(_ layout: Layout) -> [Line] {
        let photo: [TableView.Column] = namesPhotos ? [.init(heading: localized("Photo"), cellsMin: 12)] : []
        let columns: [TableView.Column] =
            [.init(heading: localized("What")), .init(heading: localized("Time"))] + photo
            + [
                .init(heading: localized("To"), givesWay: 1), .init(heading: localized("Took"), givesWay: 3),
                .init(heading: localized("Detail"), cellsMin: 16, givesWay: 2),
            ]
        let rows = steps.map { step in
            let (word, tone) = HistoryWords.step(step)
            let name = namesPhotos ? [FileName.of(step.path ?? step.originalName)] : []
            return TableView.Row(
                tone,
                [word, Formatted.time(step.at)] + name + [
                    step.destination?.rawValue ?? "", HistoryWords.pace(step), HistoryWords.detail(step),
                ])
        }
        return TableView(columns: columns, rows: rows).lines(layout)
    }

    func plain() -> [String] {
        steps.map { step in
            let facts = [
                step.destination.map { "to " + TerminalText.escaped($0.rawValue) },
                HistoryWords.pace(step), TerminalText.escaped(HistoryWords.detail(step)),
            ].compactMap(\.self).filter { !$0.isEmpty }
            let photo = namesPhotos ? ["photo \(step.capture)", TerminalText.escaped(step.originalName)] : []
            return ([WireTime.text(of: step.at)] + photo + [HistoryWords.step(step).word] + facts)
                .joined(separator: ", ")
        }
    }
}

/// One photo, and what happened to it.
struct CaptureHistoryView: Presentation {
    let history: CaptureHistoryReply
    let json: Data

    func human(_ style: Style) -> [String] {
        let layout = style.page
        let photo = history.capture
        let state = StateWords.capture(photo.state)
        var lines = HeadView(
            FileName.of(photo.path ?? photo.originalName), BadgeView(state.tone, state.word)
        ).lines(layout)
        for fact in facts { lines += LabelledView(fact.label, FactsView([fact.text])).lines(layout) }
        lines += [.empty]
        guard !history.steps.isEmpty else {
            return
                (lines
                + EmptyView(
                    localized("Nothing is remembered of it."),
                    nextStep: localized("It is from before steps were kept.")
                )
                .lines(layout)).map(style.encode)
        }
        return (lines + HistoryTable(steps: history.steps).lines(layout)).map(style.encode)
    }

    func plain() -> [String] {
        ["photo: \(history.capture.id)", "state: \(StateWords.capture(history.capture.state).word)"]
            + facts.map { "\($0.label.lowercased()): \(TerminalText.escaped($0.text))" }
            + HistoryTable(steps: history.steps).plain().map { "step: " + $0 }
    }

    private var facts: [(label: String, text: String)] {
        let photo = history.capture
        let all: [(String, String?)] = [
            (localized("Number"), photo.id.description), (localized("File"), photo.path),
            (localized("Camera"), photo.cameraName), (localized("Original"), photo.originalName),
            (localized("Fields"), photo.fields.isEmpty ? nil : FieldWords.line(photo.fields)),
            (localized("Size"), Formatted.size(photo.size)), ("SHA-256", photo.sha256),
            (localized("Taken"), photo.capturedAt.map(Formatted.time)),
            (localized("Cleared"), photo.clearedAt.map(Formatted.time)),
            (localized("Problem"), photo.problem),
        ]
        return all.compactMap { label, text in text.map { (label, $0) } }
    }
}

/// A part of what happened to all photos.
struct AuditView: Presentation {
    let page: HistoryReply
    /// Whether nothing happened at all.
    let isEmpty: Bool
    let json: Data
    /// Each step by itself.
    var jsonLines: [Data] { page.steps.compactMap { try? WireCoder.encode($0) } }

    func human(_ style: Style) -> [String] {
        guard !isEmpty else {
            return EmptyView(
                localized("Nothing happened."), nextStep: localized("Look further back with --since.")
            )
            .lines(style.page).map(style.encode)
        }
        return HistoryTable(steps: page.steps, namesPhotos: true).lines(style.page).map(style.encode)
    }

    func plain() -> [String] {
        isEmpty ? ["steps: none"] : HistoryTable(steps: page.steps, namesPhotos: true).plain()
    }
}
