import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The result of `doctor --audit`: each finding with its next step.
struct AuditView: Presentation {
    let reply: AuditReply
    let json: Data

    /// Returns the progress as one line. `photosTotal` is 0 until the ledger is open.
    static func progress(_ progress: AuditLine.Progress) -> String {
        guard progress.photosTotal > 0 else { return "Checking the ledger" }
        return "Checked \(Formatted.count(progress.photos)) of \(Formatted.photos(progress.photosTotal)), "
            + "\(Formatted.size(progress.bytes)) of \(Formatted.size(progress.bytesTotal))"
    }

    /// The text about findings that the reply omits, or `nil` if the reply has all findings.
    private var omitted: String? {
        let count = reply.findingsTotal - reply.findings.count
        return count > 0 ? "\(Formatted.count(count)) more findings are not listed." : nil
    }

    func lines(_ layout: Layout) -> [Line] {
        let checked = "\(Formatted.photos(reply.photos)) checked, \(Formatted.size(reply.bytes))."
        let summary =
            TextView.wrapped(checked, .caption).lines(layout)
            + TextView.wrapped("Ledger: \(reply.ledger)", .caption).lines(layout)
        guard reply.findingsTotal > 0 else {
            return [Line(layout.badge(.success, "The ledger, the files and the receipts agree"))] + summary
        }
        let total = Formatted.count(reply.findingsTotal)
        var lines = [Line("\(total) \(reply.findingsTotal == 1 ? "finding" : "findings")", .section)]
        lines += summary
        for finding in reply.findings {
            lines.append(.empty)
            lines += GuidanceView(.warning, sentence(finding), steps: [finding.nextStep]).lines(layout)
        }
        guard let omitted else { return lines }
        return lines + [.empty] + TextView.wrapped(omitted, .caption).lines(layout)
    }

    func plain() -> [String] {
        [
            TerminalText.escaped("ledger: \(reply.ledger)"), "photos: \(reply.photos)",
            "bytes: \(reply.bytes)", "findings: \(reply.findingsTotal)",
        ]
            + reply.findings.map { finding in
                TerminalText.escaped("\(finding.$kind.text): \(sentence(finding)) \(finding.nextStep)")
            }
    }

    /// Returns a finding's sentence. If the finding has a path, the path and the photo number come first.
    private func sentence(_ finding: AuditReply.Finding) -> String {
        guard let path = finding.path else { return finding.sentence }
        return finding.capture.map { "\(path) (photo \($0)): \(finding.sentence)" }
            ?? "\(path): \(finding.sentence)"
    }
}
