import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// A table of destinations, followed by the last error and the notes of each destination.
struct DestinationsView: Presentation {
    let destinations: [DestinationReply]
    let json: Data

    private static let columns: [TableView.Column] = [
        .init(heading: "State"), .init(heading: "Name"), .init(heading: "Kind", dropOrder: 2),
        .init(heading: "Failed", isFigure: true, unit: "failed"),
        .init(heading: "Retrying", isFigure: true, unit: "retrying"),
        .init(heading: "Queued", isFigure: true, unit: "queued"),
        .init(heading: "Held", isFigure: true, unit: "held"),
        .init(heading: "Delivered", isFigure: true, unit: "delivered"),
        .init(heading: "Speed", isFigure: true, dropOrder: 1),
        .init(heading: "Location", cellsMin: 16, dropOrder: 3),
    ]

    func lines(_ layout: Layout) -> [Line] {
        guard !destinations.isEmpty else {
            return EmptyView(
                "No destinations: photos stay on this computer.",
                nextStep: "Add a `[[destination]]` to /etc/framefast/framefast.toml."
            ).lines(layout)
        }
        let rows = destinations.map { destination in
            let state = UploadWords.destination(destination)
            let statistics = destination.statistics
            return TableView.Row(
                state.tone,
                [
                    state.word, destination.name.rawValue, destination.$kind.text,
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
                        ? []
                        : ["Test the destination with `framefast destinations test \(destination.name)`."])
            ).lines(layout)
        }
        for note in destinations.flatMap(notes) {
            lines += [.empty] + GuidanceView(.info, note).lines(layout)
        }
        return lines
    }

    /// Returns sentences about refused features and partial files of unfinished uploads.
    private func notes(_ destination: DestinationReply) -> [String] {
        var notes: [String] = []
        let refused = destination.refusedFeatures.map(\.title)
        if !refused.isEmpty {
            notes.append("\(destination.name): uploads work without \(refused.joined(separator: ", ")).")
        }
        if destination.leftovers > 0 {
            notes.append(
                "\(destination.name): partial files of \(Formatted.count(destination.leftovers)) unfinished uploads (at "
                    + "most \(Formatted.size(destination.leftoverBytes))) are not removed yet.")
        }
        return notes
    }

    func plain() -> [String] {
        guard !destinations.isEmpty else { return ["destinations: none"] }
        return destinations.flatMap { destination in
            let prefix = "destination \(TerminalText.escaped(destination.name.rawValue))"
            var lines = [
                "\(prefix): \(UploadWords.destination(destination).word)",
                "\(prefix) kind: \(TerminalText.escaped(destination.$kind.text))",
                "\(prefix) location: \(TerminalText.escaped(destination.location))",
                "\(prefix) breaker: \(TerminalText.escaped(destination.$breaker.text))",
                "\(prefix) queued: \(destination.statistics.queued)",
                "\(prefix) held: \(destination.statistics.held)",
                "\(prefix) uploading: \(destination.statistics.uploading + destination.statistics.verifying)",
                "\(prefix) delivered: \(destination.statistics.delivered)",
                "\(prefix) retrying: \(destination.statistics.retrying)",
                "\(prefix) failed: \(destination.statistics.failed)",
                "\(prefix) bytes per second: \(destination.bytesPerSecond)",
                "\(prefix) leftovers: \(destination.leftovers)",
                "\(prefix) bytes of leftovers: \(destination.leftoverBytes)",
            ]
            for feature in destination.refusedFeatures {
                lines.append(
                    "\(prefix) refuses: \(TerminalText.escaped(feature.feature)); "
                        + TerminalText.escaped(feature.fallback))
            }
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
        case .open: " Uploads are stopped until the destination responds again."
        case .halfOpen: " One photo is uploaded to test the destination."
        default: ""
        }
    }
}
