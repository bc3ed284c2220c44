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

    /// Pixels of a cell where the terminal does not report them: those of a common font at 10 points.
    static let usualCell = (width: 8, height: 16)

    /// The size of some lines of the terminal behind standard output, in pixels.
    ///
    /// - Parameter rows: How many lines; at least 1.
    public static func pixelsOfStandardOutput(rows: Int) -> (width: Int, height: Int) {
        var size = winsize()
        let cells = ofStandardOutput()
        let rows = max(1, rows)
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_xpixel > 0, size.ws_ypixel > 0
        else {
            return (cells.columns * usualCell.width, rows * usualCell.height)
        }
        return (Int(size.ws_xpixel), Int(size.ws_ypixel) * rows / cells.rows)
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
