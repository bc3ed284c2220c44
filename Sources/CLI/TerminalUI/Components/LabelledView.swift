/// A label, and a component to its right.
public struct LabelledView: Component {
    /// The width of the label's column, in cells: the longest label in use, and a gap.
    public static let labelCells = 9

    /// The label.
    public let label: String
    /// The labeled component.
    public let content: any Component

    /// Creates a labeled component.
    public init(_ label: String, _ content: any Component) {
        self.label = label
        self.content = content
    }

    /// Returns the component's lines, with the label before the first.
    public func lines(_ layout: Layout) -> [Line] {
        content.lines(layout.with(width: layout.width - Self.labelCells)).enumerated().map { index, line in
            Line([Span(Cells.padded(index == 0 ? label : "", Self.labelCells), .section)] + line.spans)
        }
    }

    /// Returns the component as plain text, with the label before each line.
    public func plain() -> [String] { content.plain().map { "\(label.lowercased()): \($0)" } }
}
