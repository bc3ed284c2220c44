import FoundationEssentials
import FrameFastAPI
import Localization
import TerminalUI

/// The destinations as a table, and below it why some of them do not work.
struct DestinationsView: Presentation {
    let destinations: [DestinationReply]
    let json: Data

    private static var columns: [TableView.Column] {
        [
            .init(heading: localized("State")), .init(heading: localized("Name")),
            .init(heading: localized("Kind"), givesWay: 2),
            .init(heading: localized("Failed"), isFigure: true, unit: localized("failed")),
            .init(heading: localized("Retrying"), isFigure: true, unit: localized("retrying")),
            .init(heading: localized("Queued"), isFigure: true, unit: localized("queued")),
            .init(heading: localized("Held"), isFigure: true, unit: localized("held")),
            .init(heading: localized("Delivered"), isFigure: true, unit: localized("delivered")),
            .init(heading: localized("Speed"), isFigure: true, givesWay: 1),
            .init(heading: localized("Where"), cellsMin: 16, givesWay: 3),
        ]
    }

    func human(_ style: Style) -> [String] {
        let layout = style.page
        guard !destinations.isEmpty else {
            return EmptyView(
                localized("No destinations: photos stay on this computer."),
                nextStep: localized("Add a `[[destination]]` to /etc/framefast/framefast.toml.")
            ).lines(layout).map(style.encode)
        }
        let rows = destinations.map { destination in
            let state = UploadWords.destination(destination)
            let statistics = destination.statistics
            return TableView.Row(
                state.tone,
                [
                    state.word, destination.name.rawValue, destination.kind.rawValue,
                    count(statistics.failed), count(statistics.retrying),
                    count(statistics.queued + statistics.uploading + statistics.verifying),
                    count(statistics.held), count(statistics.delivered),
                    destination.bytesPerSecond > 0 ? Formatted.size(destination.bytesPerSecond) + "/s" : "",
                    destination.location,
                ])
        }
        var lines = TableView(columns: Self.columns, rows: rows).lines(layout)
        for destination in destinations {
            guard let error = destination.lastError else { continue }
            let sentence = "\(destination.name): \(error.sentence)\(breaker(destination))"
            let tone: Tone =
                switch destination.state {
                case .refusing: .danger
                case .away, .removed: .warning
                default: .info
                }
            lines += [.empty]
            lines += GuidanceView(
                tone, sentence,
                steps: (error.nextStep.map { [$0] } ?? [])
                    + (destination.state == .removed
                        ? [] : [localized("Try it with `framefast destinations test \(destination.name)`.")])
            ).lines(layout)
        }
        return lines.map(style.encode)
    }

    func plain() -> [String] {
        guard !destinations.isEmpty else { return ["destinations: none"] }
        return destinations.flatMap { destination in
            let prefix = "destination \(TerminalText.escaped(destination.name.rawValue))"
            var lines = [
                "\(prefix): \(UploadWords.destination(destination).word)",
                "\(prefix) kind: \(TerminalText.escaped(destination.kind.rawValue))",
                "\(prefix) where: \(TerminalText.escaped(destination.location))",
                "\(prefix) breaker: \(TerminalText.escaped(destination.breaker.rawValue))",
                "\(prefix) queued: \(destination.statistics.queued)",
                "\(prefix) held: \(destination.statistics.held)",
                "\(prefix) uploading: \(destination.statistics.uploading + destination.statistics.verifying)",
                "\(prefix) delivered: \(destination.statistics.delivered)",
                "\(prefix) retrying: \(destination.statistics.retrying)",
                "\(prefix) failed: \(destination.statistics.failed)",
                "\(prefix) bytes a second: \(destination.bytesPerSecond)",
            ]
            if let error = destination.lastError {
                lines.append("\(prefix) last error: \(TerminalText.escaped(error.sentence))")
                if let step = error.nextStep {
                    lines.append("\(prefix) next step: \(TerminalText.escaped(step))")
                }
            }
            return lines
        }
    }

    private func count(_ number: Int) -> String { number == 0 ? "" : Formatted.count(number) }

    private func breaker(_ destination: DestinationReply) -> String {
        switch destination.breaker {
        case .open: " " + localized("Nothing is sent until it answers again.")
        case .halfOpen: " " + localized("One photo is sent to see whether it works again.")
        default: ""
        }
    }
}

/// What came of a test: what was done, and what failed.
struct DestinationTestView: Presentation {
    let reply: DestinationTestReply
    let json: Data

    func human(_ style: Style) -> [String] {
        let layout = style.page
        var lines = reply.steps.enumerated().flatMap { index, step -> [Line] in
            let isFailure = !reply.ok && index == reply.steps.count - 1
            return layout.signed(isFailure ? .danger : .success, step)
        }
        if !lines.isEmpty { lines.append(.empty) }
        let sentence = "\(reply.destination): \(reply.sentence)"
        lines += GuidanceView(
            reply.ok ? .success : .danger, sentence, steps: reply.nextStep.map { [$0] } ?? []
        ).lines(layout)
        return lines.map(style.encode)
    }

    func plain() -> [String] {
        let name = TerminalText.escaped(reply.destination.rawValue)
        return ["destination \(name): \(reply.ok ? "works" : "failed")"]
            + reply.steps.map { "done: \(TerminalText.escaped($0))" }
            + ["result: \(TerminalText.escaped(reply.sentence))", "milliseconds: \(reply.tookMs)"]
            + (reply.nextStep.map { ["next step: \(TerminalText.escaped($0))"] } ?? [])
    }
}
