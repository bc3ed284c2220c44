import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The result of `doctor`: problems with their fixes, then notes with their steps, then passed checks.
struct DiagnosisView: Presentation {
    let checks: [DiagnosisReply.Check]
    let json: Data

    init(_ checks: [DiagnosisReply.Check], json: Data) {
        self.checks = Self.worstFirst(checks)
        self.json = json
    }

    /// Returns checks sorted by level, the worst first. The order of equal levels is stable.
    static func worstFirst(_ checks: [DiagnosisReply.Check]) -> [DiagnosisReply.Check] {
        let ranked = checks.enumerated().sorted {
            (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
        }
        return ranked.map(\.element)
    }

    private static func rank(_ check: DiagnosisReply.Check) -> Int {
        switch check.verdict {
        case .danger: 0
        case .ok: 3
        case .info: 2
        case .warning, nil: 1
        }
    }

    /// Whether anything needs attention.
    var needsAttention: Bool { !problems.isEmpty }

    private var problems: [DiagnosisReply.Check] {
        checks.filter { $0.verdict != .ok && $0.verdict != .info }
    }

    /// Returns a check's sentence. Adds the title in front if the sentence does not contain the title,
    /// because several cameras may have the same problem.
    private func sentence(_ check: DiagnosisReply.Check) -> String {
        Naming.isNamed(check.title.lowercased(), in: check.sentence.lowercased())
            ? check.sentence : "\(check.title): \(check.sentence)"
    }

    private func word(_ check: DiagnosisReply.Check) -> (word: String, tone: Tone) {
        switch check.verdict {
        case .danger: ("Error", .danger)
        case .ok: ("OK", .success)
        case .info: ("Note", .info)
        case .warning, nil: ("Warning", .warning)
        }
    }

    func lines(_ layout: Layout) -> [Line] {
        let well = checks.filter { $0.verdict == .ok || $0.verdict == .info }
        var lines: [Line]
        if problems.isEmpty {
            lines = [Line(layout.badge(.success, "Nothing needs attention")), .empty]
        } else {
            let count = problems.count
            lines = [
                Line("\(count) \(count == 1 ? "thing needs" : "things need") attention", .section), .empty,
            ]
        }
        for check in problems {
            lines += GuidanceView(word(check).tone, sentence(check), steps: check.steps).lines(layout)
            lines.append(.empty)
        }
        let titles = well.map { Cells.width(TerminalText.escaped($0.title)) }.max() ?? 0
        for check in well {
            let title = Span(Cells.padded(check.title, titles), .emphasised)
            let head = layout.sign(word(check).tone) + [title, .gap(Spacing.md)]
            lines += Line.hanging(head, check.sentence, to: layout.prose)
            let indent = Line(head).width
            lines += GuidanceView.numbered(check.steps, to: layout.prose - indent).map { $0.indented(indent) }
        }
        while lines.last == .empty { lines.removeLast() }
        return lines
    }

    func plain() -> [String] {
        checks.flatMap { check in
            [
                "\(word(check).word.lowercased()): \(TerminalText.escaped(check.title)): "
                    + TerminalText.escaped(check.sentence)
            ] + check.steps.enumerated().map { "step \($0 + 1): \(TerminalText.escaped($1))" }
        }
    }
}
