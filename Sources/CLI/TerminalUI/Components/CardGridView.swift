/// Cards side by side, as many as fit.
public struct CardGridView: Component {
    /// Cells of a card at least: two fit on 80 columns.
    public static let cellsMin = 38

    /// The cards, or what stands in their place.
    public let cards: [any Component]

    /// Cards.
    public init(_ cards: [any Component]) { self.cards = cards }

    /// Rows of cards, each as high as its highest.
    public func lines(_ layout: Layout) -> [Line] {
        guard !cards.isEmpty else { return [] }
        let width = layout.width - 2 * Spacing.xs
        let columns = max(1, min(cards.count, width / Self.cellsMin))
        let cell = (width - (columns - 1) * Spacing.xs) / columns
        return stride(from: 0, to: cards.count, by: columns).flatMap { start -> [Line] in
            let row = cards[start..<min(start + columns, cards.count)].map {
                $0.lines(layout.with(width: cell))
            }
            return (0..<(row.map(\.count).max() ?? 0)).map { index in
                let spans = row.map { index < $0.count ? $0[index].padded(cell).spans : [.gap(cell)] }
                return Line(Array(spans.joined(separator: [.gap(Spacing.xs)]))).indented(Spacing.xs)
            }
        }
    }

    /// One card after the other.
    public func plain() -> [String] { cards.flatMap { $0.plain() } }
}
