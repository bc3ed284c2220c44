/// Distances, in cells: the 4-point grid of the design, where a cell stands for about 8 points.
public enum Spacing {
    /// Between a sign and its word.
    public static let xs = 1
    /// Between parts of one fact.
    public static let sm = 1
    /// Between columns.
    public static let md = 2
    /// Before everything.
    public static let base = 2
    /// Between things that are read one by one, such as keys.
    public static let lg = 3
    /// Between sections, in lines.
    public static let lgLines = 1
}

extension Span {
    /// Space between two pieces of a line, in the cells of a distance.
    public static func gap(_ cells: Int) -> Span { Span(Cells.padded("", cells)) }
}
