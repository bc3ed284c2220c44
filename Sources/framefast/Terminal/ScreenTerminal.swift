import Glibc

/// The terminal while a screen has it: keys come at once, the picture is on the alternate screen.
final class ScreenTerminal {
    private var saved: termios?
    private var shown: [String] = []

    deinit { leave() }

    /// Takes the terminal.
    func enter() {
        guard saved == nil else { return }
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
        saved = settings
        // Ctrl-C and Ctrl-Z stay signals: whoever sends them, there is one way to handle them.
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        settings.c_iflag &= ~tcflag_t(ICRNL | IXON)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
        shown = []
        FileDescriptorText.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J", to: STDOUT_FILENO)
    }

    /// Gives the terminal back as it was. Twice does no harm.
    func leave() {
        guard var settings = saved else { return }
        saved = nil
        FileDescriptorText.write("\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l", to: STDOUT_FILENO)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    }

    /// Stops as Ctrl-Z does, and comes back with a fresh picture.
    func suspend() {
        leave()
        kill(getpid(), SIGSTOP)
        enter()
    }

    /// Forgets the picture: the next one is drawn as a whole.
    func invalidate() {
        shown = []
        FileDescriptorText.write("\u{1B}[2J", to: STDOUT_FILENO)
    }

    /// Shows a picture in one write, of the lines that changed.
    func show(_ lines: [String]) {
        var text = ""
        for row in 0..<max(lines.count, shown.count) {
            let line = row < lines.count ? lines[row] : ""
            if row < shown.count, shown[row] == line { continue }
            text += "\u{1B}[\(row + 1);1H" + line + "\u{1B}[K"
        }
        shown = lines
        if !text.isEmpty { FileDescriptorText.write(text, to: STDOUT_FILENO) }
    }
}
