/// A value that renders as lines of text. A component has no access to the terminal or the theme.
public protocol Component: Sendable {
    /// Returns the lines for a terminal.
    func lines(_ layout: Layout) -> [Line]
    /// Returns plain text, one fact per line, for screen readers and scripts.
    func plain() -> [String]
}
