/// A small chart of a quantity over time, with one value per minute.
public struct SparklineView: Component, Equatable {
    /// The maximum number of points.
    public static let pointsMax = 30
    /// The minimum number of points next to a scale. With less space, the scale is omitted.
    static let pointsWithScaleMin = 20

    /// The values, oldest first.
    public let values: [Int]
    /// The last value as text, for example `12 a minute`.
    public let caption: String

    /// Creates a sparkline.
    public init(_ values: [Int], caption: String) {
        self.values = values
        self.caption = caption
    }

    /// Returns the sparkline with its caption, and with its scale if there is space. The full height is the
    /// highest of the last ``pointsMax`` values, or without a scale, the highest shown value.
    public func lines(_ layout: Layout) -> [Line] {
        let scaled = caption + layout.dot + peak
        let space = layout.inner - Spacing.md
        let isScaled = highest > 0 && space - Cells.width(scaled) >= Self.pointsWithScaleMin
        let caption = isScaled ? scaled : caption
        let cells = max(1, min(Self.pointsMax, space - Cells.width(caption)))
        let heights = Glyph.heights(hasUnicode: layout.hasUnicode)
        let shown = Array(repeating: 0, count: max(0, cells - values.count)) + values.suffix(cells)
        let top = max(1, isScaled ? highest : shown.max() ?? 1)
        let text = shown.map { value in
            value <= 0 ? heights[0] : heights[min(heights.count - 1, 1 + (value * (heights.count - 2)) / top)]
        }.joined()
        let isQuiet = !shown.contains { $0 > 0 }
        return [
            Line([Span(text, isQuiet ? .caption : .tone(.info)), .gap(Spacing.md), Span(caption)]).cut(
                to: layout.inner, layout)
        ]
    }

    private var highest: Int { values.suffix(Self.pointsMax).max() ?? 0 }

    /// The scale: the value that has the full height.
    private var peak: String { "peak \(highest)" }

    /// Returns caption and scale, without the sparkline.
    public func plain() -> [String] {
        [TerminalText.escaped(caption)] + (highest > 0 ? [peak] : [])
    }
}
