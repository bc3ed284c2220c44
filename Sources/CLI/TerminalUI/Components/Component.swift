/// What is drawn: a value that becomes lines. It never writes, never asks the terminal, never knows the theme.
public protocol Component: Sendable {
    /// For a terminal.
    func lines(_ layout: Layout) -> [Line]
    /// Full words, one fact a line: what is read aloud, and what a script reads.
    func plain() -> [String]
}
