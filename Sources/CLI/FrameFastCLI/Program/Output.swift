import FoundationEssentials
import FrameFastAPI
import Glibc
import TerminalUI

/// A result that can be printed in every format.
protocol Presentation {
    /// The JSON from the daemon, including fields that this version does not know.
    var json: Data { get }
    /// Returns lines for people.
    func lines(_ layout: Layout) -> [Line]
    /// Returns plain text, one fact per line.
    func plain() -> [String]
}

extension Presentation {
    /// Returns lines for people, with symbols, and with colors if the style has colors.
    func human(_ style: Style) -> [String] { lines(style.page).map(style.encode) }
}

/// A presentation that is made of components.
protocol ComponentPresentation: Presentation {
    /// The components, from top to bottom.
    var parts: [any Component] { get }
}

extension ComponentPresentation {
    func lines(_ layout: Layout) -> [Line] { parts.flatMap { $0.lines(layout) } }
}

/// A printer of results to standard output, and of errors and progress to standard error.
struct Output {
    let format: OutputFormat
    let style: Style

    func show(_ presentation: some Presentation) {
        format.lines(
            human: presentation.human(style), plain: presentation.plain(),
            json: [TerminalText.escapedJSON(presentation.json)]
        ).forEach(printLine)
    }

    /// Prints an extra note for people. The JSON format omits such notes.
    func printNote(_ view: some Component) {
        format.lines(human: view.lines(style.page).map(style.encode), plain: view.plain(), json: [])
            .forEach(printLine)
    }

    /// Prints a line to standard output, regardless of the format.
    func printLine(_ text: String) {
        write(Array((text.hasSuffix("\n") ? text : text + "\n").utf8))
    }

    /// Writes bytes to standard output. Ends the program if the bytes cannot be written, for example because
    /// the disk is full. Otherwise, a script would use a truncated list (algolia/cli pull request 122).
    func write(_ bytes: [UInt8]) {
        guard !FileDescriptorText.write(bytes, to: STDOUT_FILENO) else { return }
        let number = errno
        // The parent ignores SIGPIPE, as systemd does by default, and the reader has closed the pipe.
        if number == EPIPE { SignalThread.die(of: SIGPIPE) }
        printError(
            Explanation(
                status: .failed, code: .internal,
                message: "cannot write to standard output: \(String(cString: strerror(number)))",
                nextStep: nil))
        exit(ExitStatus.failed.rawValue)
    }

    /// Replaces the progress line on standard error.
    ///
    /// Prints nothing if standard error is not a terminal, on a dumb terminal, or in the JSON format.
    ///
    /// - Parameter text: The progress, or `nil` to clear the line.
    func showProgress(_ text: String?) {
        guard isatty(STDERR_FILENO) == 1, format.isForPeople,
            getenv("TERM").map({ String(cString: $0) }) != "dumb"
        else { return }
        FileDescriptorText.write(
            Self.progressLine(
                text ?? "", columns: TerminalSize.of(STDERR_FILENO).columns, style.page.ellipsis),
            to: STDERR_FILENO)
    }

    /// Returns the text that replaces the progress line. Cuts a progress that is wider than the terminal,
    /// because a wrapped line cannot be replaced.
    static func progressLine(_ text: String, columns: Int, _ ellipsis: String) -> String {
        "\r\u{1B}[K" + Cells.cut(TerminalText.escaped(text), to: columns - 1, ellipsis)
    }

    /// Prints an error to standard error.
    func printError(_ explanation: Explanation) {
        let message = Line("framefast: " + explanation.message)
        let step = explanation.nextStep.map { Line($0).indented(Spacing.base) }
        let words = [message, step].compactMap { $0?.text }
        let json = (try? WireCoder.encode(explanation.reply)).map { [TerminalText.escapedJSON($0)] }
        for text in format.lines(human: words, plain: words, json: json ?? words) {
            FileDescriptorText.write(text + "\n", to: STDERR_FILENO)
        }
    }
}
