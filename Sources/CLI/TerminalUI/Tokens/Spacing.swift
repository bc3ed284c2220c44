/// The distances of the interface, in cells. A cell is about 8 points wide.
public enum Spacing {
    /// The distance between a symbol and its word.
    public static let xs = GridDistance.xs.cells
    /// The distance between parts of one fact.
    public static let sm = GridDistance.sm.cells
    /// The distance between columns.
    public static let md = GridDistance.md.cells
    /// The margin and the indent.
    public static let base = GridDistance.base.cells
    /// The distance between separate items, such as keys.
    public static let lg = GridDistance.lg.cells
    /// The distance between sections, in lines.
    public static let lgLines = 1
}

extension GridDistance {
    /// The distance in cells, rounded.
    var cells: Int { (points + 4) / 8 }
}
