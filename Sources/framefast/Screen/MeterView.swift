/// How much of a whole is done, as a bar.
struct MeterView {
    /// Cells of the bar, where there is space.
    static let barCellsMax = 30

    /// What is done, in the unit of ``whole``.
    let part: Int64
    /// The whole; nothing to do when 0.
    let whole: Int64
    /// What the share is of, for example `uploaded`.
    let label: String

    /// Whole percent. 100 only when everything is done.
    var percent: Int {
        guard whole > 0, part < whole else { return 100 }
        return Int(whole.dividingFullWidth(max(0, part).multipliedFullWidth(by: 100)).quotient)
    }

    /// The bands of the design's score colours.
    var tone: Tone {
        switch percent {
        case 80...: .success
        case 60...: .info
        case 30...: .warning
        default: .danger
        }
    }

    func line(_ layout: Layout) -> Line {
        let text = "\(percent) % \(label)"
        let cells = max(4, min(Self.barCellsMax, layout.inner - Cells.width(text) - 4))
        let filled = cells * percent / 100
        let (full, empty) = layout.hasUnicode ? ("█", "░") : ("#", "-")
        return Line([
            Span(layout.hasUnicode ? "" : "[", .dim),
            Span(String(repeating: full, count: filled), .tone(tone)),
            Span(String(repeating: empty, count: cells - filled), .dim),
            Span(layout.hasUnicode ? "" : "]", .dim), Span("  " + text),
        ])
    }

    func plain() -> [String] { ["\(label) percent: \(percent)"] }
}
