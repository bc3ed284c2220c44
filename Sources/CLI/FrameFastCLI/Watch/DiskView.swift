import FrameFastAPI
import TerminalUI

/// How full the disk is: the bar shows what is taken, the words what is free.
struct DiskView: Component {
    let freeBytes: Int64
    let totalBytes: Int64
    /// What the daemon makes of it.
    let tone: Tone
    let facts: FactsView

    func lines(_ layout: Layout) -> [Line] {
        let meter = MeterView(part: totalBytes - freeBytes, whole: totalBytes, label: "")
        let cells = max(6, min(20, layout.inner / 4))
        let bar = meter.bar(cells: cells, layout, tone: tone)
        let rest = facts.lines(layout.with(width: layout.width - Line(bar).width - 2))
        return [Line(bar + [Span("  ")] + (rest.first?.spans ?? []))]
    }

    func plain() -> [String] { facts.plain().map { "disk: \($0)" } }
}

/// The words of a destination's queue.
enum DestinationWords {
    /// What is in it, and what its breaker says.
    static func queue(_ destination: DestinationReply) -> [String] {
        var words = UploadWords.statistics(destination.statistics)
        if words.isEmpty { words = ["nothing to upload"] }
        switch destination.breaker {
        case .open: words.append("sending stopped until it answers")
        case .halfOpen: words.append("trying one photo")
        default: break
        }
        return words
    }

    /// The same below the row, where it does not fit beside the name.
    static func below(_ destination: DestinationReply, _ layout: Layout) -> Line? {
        Line(queue(destination).joined(separator: ", "), .dim).indented(4).cut(to: layout.inner, layout)
    }
}
