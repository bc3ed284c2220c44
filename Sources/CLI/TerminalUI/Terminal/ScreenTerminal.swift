import Glibc

/// The terminal of an interactive screen, in raw mode and on the alternate screen.
public final class ScreenTerminal {
    private static let enterText = "\u{1B}[?1049h\u{1B}[?25l"
    /// The escape sequences that restore the terminal. They also end a synchronized update, because a crash
    /// may happen during an update.
    private static let leaveText = "\u{1B}[?2026l\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

    private var saved: termios?
    private var painter = ScreenPainter()

    /// Creates a terminal that is not in use yet.
    public init() {}

    deinit { leave() }

    /// Switches the terminal to raw mode and the alternate screen.
    public func enter() {
        guard saved == nil else { return }
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
        saved = settings
        CrashGuard.arm(settings, text: Self.leaveText)
        makeRaw(settings)
        painter.invalidate()
        FileDescriptorText.write(Self.enterText, to: STDOUT_FILENO)
    }

    /// Queries the terminal for its background and its capabilities.
    ///
    /// - Returns: The style. If its palette is `terminal`, it has at least indexed colors, and the terminal
    ///   reports its background, the style gets the palette for this background.
    public func probeTerminal(for style: Style) -> Style {
        guard saved != nil else { return style }
        let probe = TerminalProbe.queryTerminal()
        painter.isSynchronized = probe.isSynchronized
        var style = style
        if style.palette == .terminal, style.depth >= .indexed, let palette = probe.palette {
            style.palette = palette
        }
        return style
    }

    /// Restores the terminal. A second call does nothing.
    public func leave() {
        guard var settings = saved else { return }
        saved = nil
        FileDescriptorText.write(Self.leaveText, to: STDOUT_FILENO)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
        CrashGuard.disarm()
    }

    /// Restores the terminal from any thread, before the process ends.
    public static func restore() { CrashGuard.restore() }

    /// Stops the process as Ctrl-Z does. After the process continues, the screen is drawn completely.
    public func suspend() {
        leave()
        kill(getpid(), SIGSTOP)
        enter()
    }

    /// Sets up the terminal again after a SIGSTOP, which the process cannot handle.
    public func resume() {
        guard let settings = saved else { return }
        makeRaw(settings)
        FileDescriptorText.write(Self.enterText, to: STDOUT_FILENO)
        painter.invalidate()
    }

    /// Causes the next update to redraw the whole screen.
    public func invalidate() { painter.invalidate() }

    /// Sounds the terminal's alert (BEL). The terminal's settings define its effect.
    public func ring() {
        if saved != nil { FileDescriptorText.write("\u{07}", to: STDOUT_FILENO) }
    }

    /// Shows a screen, writing only the changed lines, in one write.
    public func show(_ screen: [Line], _ style: Style, columns: Int) {
        let text = painter.bytes(for: screen, style, columns: columns)
        if !text.isEmpty { FileDescriptorText.write(text, to: STDOUT_FILENO) }
    }

    /// Draws a picture in one synchronized update.
    ///
    /// - Parameters:
    ///   - row: The line of the picture's upper left corner, from 0.
    ///   - column: The cell of the picture's upper left corner in its line, from 0.
    public func draw(_ pixels: Pixels, _ pictures: PictureProtocol, row: Int, column: Int) {
        guard saved != nil else { return }
        let text =
            "\u{1B}[?2026h\u{1B}[\(row + 1);\(column + 1)H" + pictures.drawing(pixels) + "\u{1B}[?2026l"
        FileDescriptorText.write(text, to: STDOUT_FILENO)
    }

    /// Removes the picture. The next update redraws the whole screen.
    public func erase(_ pictures: PictureProtocol) {
        guard saved != nil else { return }
        FileDescriptorText.write(pictures.erasing, to: STDOUT_FILENO)
        painter.invalidate()
    }

    /// Switches off echo and line mode. Ctrl-C and Ctrl-Z still send signals. ``SignalThread`` handles
    /// these signals like signals from other programs.
    private func makeRaw(_ settings: termios) {
        var settings = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        settings.c_iflag &= ~tcflag_t(ICRNL | IXON)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    }
}
