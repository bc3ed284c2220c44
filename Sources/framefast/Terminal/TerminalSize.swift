import Glibc

/// How large the terminal is.
struct TerminalSize: Equatable {
    /// Where the terminal does not say.
    static let usual = TerminalSize(columns: 80, rows: 24)

    var columns: Int
    var rows: Int

    static func ofStandardOutput() -> TerminalSize {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return usual
        }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}
