/// A value that renders as lines of text. It never writes to the terminal or reads from it, and does not know
/// the theme.
public protocol Component: Sendable {
    /// Returns the lines for a terminal.
    func lines(_ layout: Layout) -> [Line]
    /// Returns plain text, one fact per line, for screen readers and scripts.
    func plain() -> [String]
}
