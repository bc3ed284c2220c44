import Glibc

/// The terminal while a screen has it: keys come at once, the picture is on the alternate screen.
public final class ScreenTerminal {
    private static let takeText = "\u{1B}[?1049h\u{1B}[?25l"
    /// Ends a synchronised update as well: a crash may come in the middle of one.
    private static let giveBackText = "\u{1B}[?2026l\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

    private var saved: termios?
    private var painter = FramePainter()

    /// A terminal that is not taken yet.
    public init() {}

    deinit { leave() }

    /// Takes the terminal.
    public func enter() {
        guard saved == nil else { return }
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
        saved = settings
        CrashGuard.arm(settings, text: Self.giveBackText)
        makeRaw(settings)
        painter.invalidate()
        FileDescriptorText.write(Self.takeText, to: STDOUT_FILENO)
    }

    /// Asks the terminal for its background and its abilities.
    ///
    /// - Returns: The style with what the terminal answered.
    public func probed(_ style: Style) -> Style {
        guard saved != nil else { return style }
        let probe = TerminalProbe.ask()
        painter.isSynchronised = probe.isSynchronised
        var style = style
        if style.palette == .terminal, style.depth >= .indexed, let palette = probe.palette {
            style.palette = palette
        }
        return style
    }

    /// Gives the terminal back as it was. Twice does no harm.
    public func leave() {
        guard var settings = saved else { return }
        saved = nil
        FileDescriptorText.write(Self.giveBackText, to: STDOUT_FILENO)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
        CrashGuard.disarm()
    }

    /// Gives the terminal back from any thread, when the process is about to end.
    public static func giveBack() { CrashGuard.restore() }

    /// Stops as Ctrl-Z does, and comes back with a fresh picture.
    public func suspend() {
        leave()
        kill(getpid(), SIGSTOP)
        enter()
    }

    /// After a stop that came without a signal: takes the terminal again.
    public func resume() {
        guard let settings = saved else { return }
        makeRaw(settings)
        FileDescriptorText.write(Self.takeText, to: STDOUT_FILENO)
        painter.invalidate()
    }

    /// Forgets the picture: the next one is drawn as a whole.
    public func invalidate() { painter.invalidate() }

    /// Rings the bell: what that does is set in the terminal.
    public func ring() {
        if saved != nil { FileDescriptorText.write("\u{07}", to: STDOUT_FILENO) }
    }

    /// Shows a picture in one write, of the lines that changed.
    public func show(_ frame: [Line], _ style: Style, columns: Int) {
        let text = painter.bytes(for: frame, style, columns: columns)
        if !text.isEmpty { FileDescriptorText.write(text, to: STDOUT_FILENO) }
    }

    /// Draws a picture in one update.
    ///
    /// - Parameters:
    ///   - row: The line of its upper left corner, from 0.
    ///   - column: The cell of that corner in its line, from 0.
    public func draw(_ pixels: Pixels, _ pictures: PictureProtocol, row: Int, column: Int) {
        guard saved != nil else { return }
        let text =
            "\u{1B}[?2026h\u{1B}[\(row + 1);\(column + 1)H" + pictures.drawing(pixels) + "\u{1B}[?2026l"
        FileDescriptorText.write(text, to: STDOUT_FILENO)
    }

    /// Removes the picture. The whole screen is drawn next.
    public func erase(_ pictures: PictureProtocol) {
        guard saved != nil else { return }
        FileDescriptorText.write(pictures.erasing, to: STDOUT_FILENO)
        painter.invalidate()
    }

    /// Ctrl-C and Ctrl-Z stay signals: one handler serves every sender.
    private func makeRaw(_ settings: termios) {
        var settings = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        settings.c_iflag &= ~tcflag_t(ICRNL | IXON)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    }
}
