import Glibc

/// How large the terminal is.
public struct TerminalSize: Equatable, Sendable {
    /// Where the terminal does not report its size.
    public static let usual = TerminalSize(columns: 80, rows: 24)

    /// Cells in a line.
    public var columns: Int
    /// Lines.
    public var rows: Int

    /// A size.
    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// As the terminal behind standard output says.
    public static func ofStandardOutput() -> TerminalSize {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return usual
        }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}
