import FrameFastAPI
import TerminalUI

/// How full the disk is: the bar shows what is taken, the words what is free, and what the daemon makes of it.
struct DiskView: Component {
    private let disk: DiskReply

    init(_ disk: DiskReply) { self.disk = disk }

    func lines(_ layout: Layout) -> [Line] {
        // The folder's disk may be another one while the folder is away.
        guard disk.guard != .away, let total = disk.totalBytes, total > 0 else { return facts.lines(layout) }
        let meter = MeterView(part: total - disk.freeBytes, whole: total, label: "")
        let cells = max(6, min(20, layout.inner / 4))
        let bar = meter.bar(cells: cells, layout, tone: tone)
        // What the daemon makes of it matters more than the bar.
        let least = words.joined(separator: layout.dot)
        guard Line(bar).width + Spacing.md + Cells.width(least) <= layout.inner else {
            return facts.lines(layout)
        }
        let rest = facts.lines(layout.with(width: layout.width - Line(bar).width - Spacing.md))
        return [Line(bar + [.gap(Spacing.md)] + (rest.first?.spans ?? []))]
    }

    func plain() -> [String] { facts.plain() }

    private var facts: FactsView { FactsView(words + [disk.directory]) }

    /// What is free, and what the daemon makes of it; where photos wait, that first.
    private var words: [String] {
        guard disk.guard != .away else { return [Self.away] }
        let words = [free, judgement].compactMap(\.self)
        return disk.guard == .full ? words.reversed() : words
    }

    /// What is said instead of free bytes. The condition says what to do.
    static let away = "the folder for photos cannot be used now"

    private var free: String { "\(Formatted.size(disk.freeBytes)) free" }

    private var judgement: String? {
        switch disk.guard {
        case .ok: nil
        case .low: "getting short"
        case .full: "full, photos wait in cameras"
        default: disk.guard.rawValue
        }
    }

    private var tone: Tone { disk.guard == .full ? .danger : disk.guard == .low ? .warning : .success }
}
