import Localization

/// How much there was of something, minute by minute.
public struct SparklineView: Component, Equatable {
    /// Points that are drawn at most.
    public static let pointsMax = 30
    /// Fewer points are not drawn for the sake of the scale.
    static let pointsWithScaleMin = 20

    /// How much, oldest first.
    public let values: [Int]
    /// The last value for people, for example `12 a minute`.
    public let caption: String

    /// Values.
    public init(_ values: [Int], caption: String) {
        self.values = values
        self.caption = caption
    }

    /// The line with its caption, and its scale where there is space: the highest value has the full height.
    public func lines(_ layout: Layout) -> [Line] {
        let scaled = caption + layout.dot + peak
        let space = layout.inner - Spacing.md
        let isScaled = highest > 0 && space - Cells.width(scaled) >= Self.pointsWithScaleMin
        let caption = isScaled ? scaled : caption
        let cells = max(1, min(Self.pointsMax, space - Cells.width(caption)))
        let heights = Glyph.heights(hasUnicode: layout.hasUnicode)
        let shown = Array(repeating: 0, count: max(0, cells - values.count)) + values.suffix(cells)
        let top = max(1, shown.max() ?? 1)
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

    /// What the full height stands for.
    private var peak: String { localized("peak \(highest)") }

    /// Caption and scale: the line is for the eye.
    public func plain() -> [String] {
        [TerminalText.escaped(caption)] + (highest > 0 ? [peak] : [])
    }
}
