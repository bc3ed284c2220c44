import FrameFastAPI
import TerminalUI

/// The disk's usage: a bar of the used space, the free space in words, and the state of the daemon's disk
/// guard.
struct DiskView: Component {
    private let disk: DiskReply

    init(_ disk: DiskReply) { self.disk = disk }

    func lines(_ layout: Layout) -> [Line] {
        // While the folder is unavailable, the numbers may describe another disk.
        guard disk.guard != .away, let total = disk.totalBytes, total > 0 else { return facts.lines(layout) }
        let meter = MeterView(part: total - disk.freeBytes, whole: total, label: "")
        let cells = max(6, min(20, layout.inner / 4))
        let bar = meter.bar(cells: cells, layout, tone: tone)
        // Omit the bar if the words do not fit next to the bar.
        let least = words.joined(separator: layout.dot)
        guard Line(bar).width + Spacing.md + Cells.width(least) <= layout.inner else {
            return facts.lines(layout)
        }
        let rest = facts.lines(layout.with(width: layout.width - Line(bar).width - Spacing.md))
        return [Line(bar + [.gap(Spacing.md)] + (rest.first?.spans ?? []))]
    }

    func plain() -> [String] { facts.plain() }

    private var facts: FactsView { FactsView(words + [disk.directory]) }

    /// The free space and the state of the disk guard. On a full disk, the state comes first.
    private var words: [String] {
        guard disk.guard != .away else { return [Self.away] }
        let words = [free, guardText].compactMap(\.self)
        return disk.guard == .full ? words.reversed() : words
    }

    /// The text that replaces the free space if the folder is unavailable. The condition that the daemon
    /// raises contains the next step.
    static let away = "the photo folder is unavailable"

    private var free: String { "\(Formatted.size(disk.freeBytes)) free" }

    private var guardText: String? {
        switch disk.guard {
        case .ok: nil
        case .low: "almost full"
        case .full: "full, photos wait on cameras"
        case .away, nil: disk.$guard.text
        }
    }

    private var tone: Tone { disk.guard == .full ? .danger : disk.guard == .low ? .warning : .success }
}
