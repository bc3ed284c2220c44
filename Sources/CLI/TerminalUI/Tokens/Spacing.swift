/// The distances of the interface, in cells. They follow the 4-point grid of the design. A cell is about 8
/// points wide.
public enum Spacing {
    /// The distance between a symbol and its word.
    public static let xs = 1
    /// The distance between parts of one fact.
    public static let sm = 1
    /// The distance between columns.
    public static let md = 2
    /// The margin and the indent.
    public static let base = 2
    /// The distance between separate items, such as keys.
    public static let lg = 3
    /// The distance between sections, in lines.
    public static let lgLines = 1
}
