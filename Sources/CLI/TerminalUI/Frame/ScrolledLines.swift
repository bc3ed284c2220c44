/// A scrolled window of lines, with the numbers of hidden lines above and below.
public struct ScrolledLines: Sendable {
    private let lines: [Line]
    private let height: Int

    /// Creates a window of lines.
    ///
    /// - Parameter height: The number of lines that fit.
    public init(_ lines: [Line], height: Int) {
        self.lines = lines
        self.height = max(1, height)
    }

    /// The largest useful offset, or 0 if all lines fit.
    public var offsetMax: Int { max(0, lines.count - height) }

    /// Returns the visible lines. If lines are hidden above or below, the first or the last visible
    /// line shows how many.
    public func shown(from offset: Int, _ layout: Layout) -> [Line] {
        let start = min(max(0, offset), offsetMax)
        let end = min(lines.count, start + height)
        var shown = Array(lines[start..<end])
        let (above, below) = (start, lines.count - end)
        // The text replaces a visible line, so the number also counts that line.
        if above > 0 { shown[0] = Line("\(layout.up) \(above + 1) more lines above", .caption) }
        if below > 0, shown.count > 1 {
            shown[shown.count - 1] = Line("\(layout.down) \(below + 1) more lines below", .caption)
        }
        return shown
    }
}
