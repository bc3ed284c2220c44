/// File names, one in each line. A long name is cut in the middle.
public struct NamesView: Component, Equatable {
    /// The names, in order.
    public let names: [String]

    /// Creates a list of names.
    public init(_ names: [String]) { self.names = names }

    /// Returns one line for each name.
    public func lines(_ layout: Layout) -> [Line] {
        names.map { Line(Cells.cutMiddle(TerminalText.escaped($0), to: layout.inner, layout.ellipsis)) }
    }

    /// Returns the complete names.
    public func plain() -> [String] { names.map(TerminalText.escaped) }
}
