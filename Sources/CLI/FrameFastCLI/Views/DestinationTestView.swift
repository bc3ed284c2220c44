import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The result of a destination's test, with its steps and features.
struct DestinationTestView: Presentation {
    let reply: DestinationTestReply
    let json: Data

    func lines(_ layout: Layout) -> [Line] {
        var lines = reply.steps.enumerated().flatMap { index, step -> [Line] in
            let isFailure = !reply.ok && index == reply.steps.count - 1
            return layout.signed(isFailure ? .danger : .success, step)
        }
        if !lines.isEmpty { lines.append(.empty) }
        let sentence = "\(reply.destination): \(reply.sentence)"
        lines += GuidanceView(
            reply.ok ? .success : .danger, sentence, steps: reply.nextStep.map { [$0] } ?? []
        ).lines(layout)
        if !reply.features.isEmpty {
            lines.append(.empty)
            lines += TableView(columns: Self.columns, rows: reply.features.map(row)).lines(layout)
        }
        return lines
    }

    private static let columns: [TableView.Column] = [
        .init(heading: "State"), .init(heading: "Feature"),
        .init(heading: "Fallback", cellsMin: 24, dropOrder: 1),
    ]

    private func row(_ feature: DestinationFeatureReply) -> TableView.Row {
        let isRefused = feature.state == .refused
        return TableView.Row(
            isRefused ? .warning : feature.state == .offered ? .success : .info,
            [Self.word(feature.$state), feature.title, isRefused ? feature.fallback : ""])
    }

    private static func word(_ state: Word<FeatureSupport>) -> String {
        switch state.known {
        case .offered: "Works"
        case .refused: "Refused"
        case .unknown: "Not tried"
        case nil: state.text
        }
    }

    func plain() -> [String] {
        let name = TerminalText.escaped(reply.destination.rawValue)
        return ["destination \(name): \(reply.ok ? "works" : "failed")"]
            + reply.steps.map { "done: \(TerminalText.escaped($0))" }
            + ["result: \(TerminalText.escaped(reply.sentence))", "milliseconds: \(reply.tookMs)"]
            + (reply.nextStep.map { ["next step: \(TerminalText.escaped($0))"] } ?? [])
            + reply.features.flatMap { feature -> [String] in
                let word = "feature \(TerminalText.escaped(feature.feature))"
                return ["\(word): \(Self.word(feature.$state).lowercased())"]
                    + (feature.state == .refused
                        ? ["\(word) fallback: \(TerminalText.escaped(feature.fallback))"] : [])
                    + (feature.reason.map { ["\(word) reason: \(TerminalText.escaped($0))"] } ?? [])
            }
    }
}
