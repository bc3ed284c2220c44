import Localization

/// Lines that do not fit: those from an offset on, and how many there are before and behind them.
public struct ScrolledLines: Sendable {
    private let lines: [Line]
    private let height: Int

    /// - Parameter height: Lines that there is space for.
    public init(_ lines: [Line], height: Int) {
        self.lines = lines
        self.height = max(1, height)
    }

    /// The furthest that it makes sense to go; 0 where everything fits.
    public var offsetMax: Int { max(0, lines.count - height) }

    /// What is shown; the first and the last line say what is not.
    public func shown(from offset: Int, _ layout: Layout) -> [Line] {
        let start = min(max(0, offset), offsetMax)
        let end = min(lines.count, start + height)
        var shown = Array(lines[start..<end])
        let (above, below) = (start, lines.count - end)
        // The line that says it hides one itself.
        if above > 0 { shown[0] = Line(localized("\(layout.up) \(above + 1) more lines above"), .caption) }
        if below > 0, shown.count > 1 {
            shown[shown.count - 1] = Line(localized("\(layout.down) \(below + 1) more lines below"), .caption)
        }
        return shown
    }
}
