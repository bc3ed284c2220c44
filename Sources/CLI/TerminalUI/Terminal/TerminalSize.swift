import Glibc

/// The size of a terminal.
public struct TerminalSize: Equatable, Sendable {
    /// The assumed size of a terminal that does not report its size.
    public static let usual = TerminalSize(columns: 80, rows: 24)

    /// The width, in cells.
    public var columns: Int
    /// The height, in lines.
    public var rows: Int

    /// The assumed size of a cell, in pixels, if the terminal does not report the size. A common font has
    /// this size at 10 points.
    static let usualCell = (width: 8, height: 16)

    /// Returns the size, in pixels, of an area of `rows` full lines in the terminal at standard output.
    ///
    /// - Parameter rows: The number of lines, at least 1.
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

    /// Returns the size of the terminal at standard output.
    public static func ofStandardOutput() -> TerminalSize { of(STDOUT_FILENO) }

    /// Returns the size of the terminal at a descriptor.
    public static func of(_ descriptor: Int32) -> TerminalSize {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return usual
        }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}
