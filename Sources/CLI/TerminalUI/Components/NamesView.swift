/// Names of files, one a line; a long one loses its middle.
public struct NamesView: Component, Equatable {
    /// The names, in order.
    public let names: [String]

    /// Names.
    public init(_ names: [String]) { self.names = names }

    /// A line a name.
    public func lines(_ layout: Layout) -> [Line] {
        names.map { Line(Cells.cutMiddle(TerminalText.escaped($0), to: layout.inner, layout.ellipsis)) }
    }

    /// The names, whole.
    public func plain() -> [String] { names.map(TerminalText.escaped) }
}
