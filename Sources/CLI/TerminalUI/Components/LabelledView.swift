/// What something is called, and beside it any component.
public struct LabelledView: Component {
    /// Cells of the label's column: the longest label that is used, and a gap.
    public static let labelCells = 9

    /// What it is called.
    public let label: String
    /// What stands beside it.
    public let content: any Component

    /// A component with a name.
    public init(_ label: String, _ content: any Component) {
        self.label = label
        self.content = content
    }

    /// The component's lines, the label before the first.
    public func lines(_ layout: Layout) -> [Line] {
        content.lines(layout.with(width: layout.width - Self.labelCells)).enumerated().map { index, line in
            Line([Span(Cells.padded(index == 0 ? label : "", Self.labelCells), .section)] + line.spans)
        }
    }

    /// The component in full words, each line with the name.
    public func plain() -> [String] { content.plain().map { "\(label.lowercased()): \($0)" } }
}
