/// How much there was of something, minute by minute.
public struct SparklineView: Component, Equatable {
    /// Points that are drawn at most.
    public static let pointsMax = 30

    /// How much, oldest first.
    public let values: [Int]
    /// The last value for people, for example `12 a minute`.
    public let caption: String

    /// Values.
    public init(_ values: [Int], caption: String) {
        self.values = values
        self.caption = caption
    }

    /// The line with its caption; the highest value has the full height.
    public func lines(_ layout: Layout) -> [Line] {
        let cells = max(1, min(Self.pointsMax, layout.inner - Cells.width(caption) - 2))
        let heights = Glyph.heights(hasUnicode: layout.hasUnicode)
        let shown = Array(repeating: 0, count: max(0, cells - values.count)) + values.suffix(cells)
        let top = max(1, shown.max() ?? 1)
        let text = shown.map { value in
            value <= 0 ? heights[0] : heights[min(heights.count - 1, 1 + (value * (heights.count - 2)) / top)]
        }.joined()
        let isQuiet = !shown.contains { $0 > 0 }
        return [
            Line([Span(text, isQuiet ? .dim : .tone(.info)), Span("  " + caption)]).cut(
                to: layout.inner, layout)
        ]
    }

    /// The caption: the line is for the eye.
    public func plain() -> [String] { [TerminalText.escaped(caption)] }
}
